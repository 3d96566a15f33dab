/** Checks everything that the index needs, when the user asks for it. */
import { useState } from 'preact/hooks';
import type { doctor } from '../../operations/doctor.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { usePage } from '../page.ts';
import type { Outcome } from '../session.ts';

type Checked = AnswerOf<typeof doctor>;

const WORDS = { ok: 'OK', warning: 'Warning', failure: 'Failure' } as const;

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
