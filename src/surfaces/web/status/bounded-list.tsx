/** A list that shows its first entries, more on request, and says how many it leaves out. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props<T> {
  /** Number of all entries, if `entries` may have fewer. @default the length of `entries` */
  readonly count?: number;
  readonly entries: readonly T[];
  readonly show: (entry: T) => ComponentChildren;
  /** Asks for this number of entries. */
  readonly load?: (wanted: number) => void;
}

/** Number of entries that are shown at first, and after each press of the button. More would make the page slow. */
const STEPS = [10, 100, 1_000];

export function BoundedList<T>({ entries, count = entries.length, show, load }: Props<T>) {
  const [step, setStep] = useState(0);
  const shown = entries.slice(0, STEPS[step]);
  const rest = count - shown.length;
  const next = STEPS[step + 1];
  return (
    <>
      <ul class="entries">
        {shown.map((entry, at) => (
          <li key={at}>{show(entry)}</li>
        ))}
      </ul>
      {rest > 0 && (
        <p>
          {rest.toLocaleString()} more.{' '}
          {next === undefined ? (
            <>
              <code>docfuse audit</code> and <code>docfuse status</code> list them all.
            </>
          ) : (
            <button
              type="button"
              onClick={() => {
                load?.(next);
                setStep(step + 1);
              }}
            >
              Show {Math.min(rest, next - (STEPS[step] ?? 0)).toLocaleString()} more
            </button>
          )}
        </p>
      )}
    </>
  );
}
