/** Why a hit was found: where its score came from, and below it all numbers as lists inside lists. */
import { useEffect, useState } from 'preact/hooks';
import type { Hit } from './finder.ts';
import { usePage } from './page.ts';
import { ScoreBars } from './score-bars.tsx';
import { STEPS } from './score-steps.ts';

type Explanation = NonNullable<Hit['explanation']>;

export function Why({ hit: { chunk_id } }: { readonly hit: Hit }) {
  const { finder } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Explanation | 'loading' | 'missing'>('loading');
  // A new answer may have the same hit for other reasons.
  const answer = finder.phase.value === undefined ? finder.found.value : undefined;
  useEffect(() => {
    setShown('loading');
    if (!isOpen || !answer) return undefined;
    let isLatest = true;
    void finder.explain(chunk_id).then((explanation) => {
      if (isLatest) setShown(explanation ?? 'missing');
    });
    return () => {
      isLatest = false;
    };
  }, [isOpen, answer, chunk_id]);
  return (
    <details class="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why this hit</summary>
      {shown === 'loading' && <p>Asking…</p>}
      {shown === 'missing' && <p>This hit is no longer found.</p>}
      {typeof shown === 'object' && (
        <>
          <ScoreBars explanation={shown} />
          <details>
            <summary>All numbers</summary>
            <Parts parts={shown.parts ?? [shown]} depth={0} />
          </details>
        </>
      )}
    </details>
  );
}

function Parts({ parts, depth }: { readonly parts: readonly Explanation[]; readonly depth: number }) {
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
  readonly part: Explanation;
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

/** Parts without a step that only repeats the number above it, such as a confidence that no hit above has lowered. */
function innerParts({ label, value, parts = [] }: Explanation): readonly Explanation[] {
  const same = parts.find((part) => part.label === label && part.value === value);
  return same?.parts ? innerParts(same) : parts;
}

/** What a part adds to a weighted sum. */
function shareOf({ value, weight = 1 }: Explanation): number {
  return Math.abs(value * weight);
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
