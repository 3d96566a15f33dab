/** Shows the phase of long work, and its progress. */
import { PHASES } from '../operations/labels.ts';
import type { OperationProgress } from '../operations/operation.ts';

export interface Work {
  /** Undefined until the first report. */
  readonly phase?: OperationProgress['phase'];
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  /** Share of the work that is done, from 0 to 1. @default `done` / `total` */
  readonly share?: number | undefined;
}

export function Progress({ phase, done = 0, total = 0, share }: Work) {
  const label = phase ? PHASES[phase] : 'Starting';
  return (
    <>
      {/* The numbers change too often to be read aloud. */}
      <p role="status">{label}</p>
      <p>
        <progress aria-label={label} {...(total > 0 && { value: share ?? done / total, max: 1 })} />{' '}
        {total > 0 && `${done.toLocaleString()} of ${total.toLocaleString()}`}
      </p>
    </>
  );
}
