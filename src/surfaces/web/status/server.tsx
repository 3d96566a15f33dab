/** What the server does now, how long its searches took, and whether it is well. */
import { useState } from 'preact/hooks';
import { DocumentLink } from '../document-link.tsx';
import { usePage } from '../page.ts';
import { Progress } from '../progress.tsx';
import type { AnswerTo, Outcome } from '../session.ts';
import { BoundedList } from './bounded-list.tsx';
import type { LiveStatus, SeenChange, StatusAnswer } from './live-status.ts';
import { Plot } from './plot.tsx';

/** What the server does, and the documents that changed while the view was shown. */
export function Now({ live: { work, changes } }: { readonly live: LiveStatus }) {
  const changed = changes.value;
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      {work.value ? <Progress {...work.value} /> : <p role="status">The server waits for changes.</p>}
      {changed.length > 0 && (
        <>
          <h3>Changed just now</h3>
          <BoundedList entries={changed} show={(change) => <Change change={change} />} />
        </>
      )}
    </section>
  );
}

function Change({ change: { document, change, at } }: { readonly change: SeenChange }) {
  return (
    <>
      <time dateTime={at.toISOString()}>{at.toLocaleTimeString()}</time> {change}{' '}
      {change === 'removed' ? (
        <bdi class="path">{document}</bdi>
      ) : (
        <DocumentLink to={{ id: document }}>{document}</DocumentLink>
      )}
    </>
  );
}

type Searches = NonNullable<StatusAnswer['server']>['searches'];
type Times = NonNullable<Searches['by_words']>;

export function SearchTimes({ searches: { by_words, with_meaning } }: { readonly searches: Searches }) {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches">Searches</h2>
      {by_words && <Kind name="By words" times={by_words} />}
      {with_meaning && <Kind name="With meaning" times={with_meaning} />}
      <p class="quiet">
        {by_words || with_meaning
          ? 'A bar is a search. The page searches by words at each key press. The server keeps the times of 200 searches of each kind, and none of their queries.'
          : 'No searches since the server started.'}
      </p>
    </section>
  );
}

function Kind({ name, times }: { readonly name: string; readonly times: Times }) {
  const { count, recent_ms: recent, p50_ms, p95_ms } = times;
  return (
    <>
      <h3>{name}</h3>
      <p>
        {recent.length < count ? `Of the last ${recent.length} searches` : 'Since the server started'}, half
        were answered within <b>{milliseconds(p50_ms)}</b>, and 95 % within <b>{milliseconds(p95_ms)}</b>. The
        slowest took {milliseconds(Math.max(...recent))}, the last one {milliseconds(recent.at(-1)!)}.
      </p>
      <Plot
        bars={recent.map((each) => Math.max(MIN_SHOWN, each))}
        lines={[p50_ms, p95_ms].map((each) => Math.max(MIN_SHOWN, each))}
        labels={{ x: 'searches, the last one on the right', y: 'milliseconds' }}
        logarithmic
      />
    </>
  );
}

/** Shorter times are drawn as this number of milliseconds, because a logarithmic axis has no zero. */
const MIN_SHOWN = 0.1;

function milliseconds(value: number): string {
  return `${value.toLocaleString(undefined, { maximumSignificantDigits: 2 })} ms`;
}

type Checked = AnswerTo<'/api/doctor'>;

const WORDS = { ok: 'OK', warning: 'Warning', failure: 'Failure' } as const;

/** Checks everything that the index needs, when the user asks for it. */
export function Health() {
  const { session } = usePage();
  const [outcome, setOutcome] = useState<Outcome<Checked> | undefined>();
  const [isChecking, setChecking] = useState(false);
  async function check(): Promise<void> {
    setChecking(true);
    setOutcome(await session.ask('/api/doctor', {}));
    setChecking(false);
  }
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      <p>
        <button type="button" disabled={isChecking} onClick={check}>
          {isChecking ? 'Checking …' : 'Check now'}
        </button>{' '}
        <span role="status">{isChecking ? '' : summaryOf(outcome)}</span>
      </p>
      {outcome?.answer ? (
        <dl class="checks">
          {outcome.answer.checks.map(({ name, state, detail, remedy }) => (
            <div key={name}>
              <dt>
                <span class={`state ${state}`}>{WORDS[state]}</span> {name}
              </dt>
              <dd dir="auto">{detail}</dd>
              {remedy && <dd dir="auto">{remedy}</dd>}
            </div>
          ))}
        </dl>
      ) : (
        <p class="quiet">
          Reads the whole index, tries the model, and makes a search. With a large index this takes some
          seconds, and searches wait.
        </p>
      )}
    </section>
  );
}

function summaryOf(outcome: Outcome<Checked> | undefined): string {
  if (!outcome) return '';
  if (outcome.problem) return `${outcome.problem.detail} ${outcome.problem.remedy}`;
  const { checks } = outcome.answer;
  const count = (wanted: keyof typeof WORDS) => checks.filter(({ state }) => state === wanted).length;
  const counted = [
    [count('failure'), 'failed'],
    [count('warning'), 'with a warning'],
    [count('ok'), 'fine'],
  ] as const;
  return `${checks.length} checks: ${counted
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ')}.`;
}
