/** The explanation of a hit: where its score came from, and below it all numbers as lists inside lists. */
import type { Hit } from './finder.ts';
import { ScoreBars } from './score-bars.tsx';
import { STEPS } from './score-steps.ts';

type Explained = NonNullable<Hit['explanation']>;

export function Explanation({ of }: { readonly of: Explained }) {
  return (
    <>
      <ScoreBars explanation={of} />
      <details>
        <summary>All numbers</summary>
        <Parts parts={of.parts ?? [of]} depth={0} />
      </details>
    </>
  );
}

function Parts({ parts, depth }: { readonly parts: readonly Explained[]; readonly depth: number }) {
  const largest = Math.max(...parts.map(shareOf), Number.MIN_VALUE);
  return (
    <ul>
      {parts.map((part, at) => (
        <li key={at}>
          <Part part={part} depth={depth} share={shareOf(part) / largest} />
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly part: Explained;
  readonly depth: number;
  /** Length of the bar, from 0 to 1. */
  readonly share: number;
}

function Part({ part, depth, share }: PartProps) {
  const { label, value, weight } = part;
  const parts = innerParts(part);
  const line = (
    <>
      <span class="label" dir="auto">
        {STEPS[label]?.name ?? label}
      </span>
      <span class="number">
        {rounded(value)}
        {weight === undefined ? '' : ` × ${rounded(weight)}`}
      </span>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
    </>
  );
  if (parts.length === 0) return <div class="part">{line}</div>;
  return (
    <details open={depth === 0}>
      <summary class="part">{line}</summary>
      <Parts parts={parts} depth={depth + 1} />
    </details>
  );
}

/** The parts of a step. Skips a part that only repeats the step, such as a confidence that no hit above has lowered. */
function innerParts({ label, value, parts = [] }: Explained): readonly Explained[] {
  const same = parts.find((part) => part.label === label && part.value === value);
  return same?.parts ? innerParts(same) : parts;
}

/** What a part adds to a weighted sum. */
function shareOf({ value, weight = 1 }: Explained): number {
  return Math.abs(value * weight);
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
