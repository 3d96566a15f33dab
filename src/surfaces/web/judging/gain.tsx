/** Measures how much better search would be with settings fitted to the grades, and says it in words. Nothing is written. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationProgress } from '../../operations/operation.ts';
import { CopyButton, ProblemNotice } from '../controls.tsx';
import { usePage } from '../page.ts';
import { Progress } from '../progress.tsx';
import type { AnswerTo, Outcome } from '../session.ts';

type Tuned = AnswerTo<'/api/tune'>;
type HeldOut = Tuned['fusion']['held_out'];

export function Gain() {
  const { session } = usePage();
  const [outcome, setOutcome] = useState<Outcome<Tuned> | undefined>();
  /** Undefined if nothing is measured now. */
  const [progress, setProgress] = useState<Partial<OperationProgress> | undefined>();
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function measure(): Promise<void> {
    stop.current = new AbortController();
    setOutcome(undefined);
    setProgress({});
    const measured = await session.ask('/api/tune', {}, stop.current.signal, (event, data) => {
      if (event === 'progress') setProgress(data as OperationProgress);
    });
    setProgress(undefined);
    setOutcome(measured);
  }

  return (
    <section class="gain" aria-label="What tuning would gain">
      <button type="button" onClick={() => (progress ? stop.current?.abort() : void measure())}>
        {progress ? 'Stop' : 'What would tuning gain?'}
      </button>
      {progress && <Progress {...progress} />}
      <ProblemNotice of={outcome} />
      {outcome?.answer && <Result tuned={outcome.answer} />}
    </section>
  );
}

function Result({ tuned: { fusion, calibration, toml } }: { readonly tuned: Tuned }) {
  const { errors } = calibration;
  return (
    <div role="status">
      <h3>Order of the hits</h3>
      <p>
        How high the documents that answer stand, from 0 to 1. Each query is measured with weights fitted to
        others.
      </p>
      <BeforeAfter before={fusion.held_out.before} after={fusion.held_out.after} />
      <p>
        {countsOf(fusion.held_out)} {verdictOf(fusion)}
      </p>
      <h3>Confidence</h3>
      <p>How far the confidence is from the share of hits that are right, from 0 to 1. Less is better.</p>
      <BeforeAfter before={errors.before} after={errors.after} isError />
      <p>{calibration.after ? verdictOf(calibration) : 'No curve can be fitted to these queries.'}</p>
      {toml === '' ? (
        <p>No setting would change. More judged queries may show more.</p>
      ) : (
        <>
          <p>
            Run <code>docfuse tune --write</code>, or add these lines to <code>docfuse.toml</code>:
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide lines */}
          <pre tabIndex={0}>{toml.trim()}</pre>
          <CopyButton label="Copy these lines" text={() => toml} />
        </>
      )}
    </div>
  );
}

interface BeforeAfterProps {
  readonly before: number;
  readonly after: number;
  /** Less is better. */
  readonly isError?: boolean;
}

function BeforeAfter({ before, after, isError }: BeforeAfterProps) {
  const colours = isError ? { low: 0.1, high: 0.25, optimum: 0 } : {};
  const rows = [
    ['Now', before],
    ['Fitted', after],
  ] as const;
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <meter aria-label={name} min={0} max={1} value={value} {...colours} />
            <span>{value.toFixed(3)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function countsOf({ better, worse, queries }: HeldOut): string {
  return `Of ${queries} queries, ${better} get better, ${worse} get worse, and ${queries - better - worse} stay equal.`;
}

function verdictOf({ supported, held_out }: Pick<Tuned['fusion'], 'supported' | 'held_out'>): string {
  if (supported) return 'This is more than chance explains.';
  return held_out.difference === 0 ? 'Nothing better was found.' : 'Chance can explain the difference.';
}
