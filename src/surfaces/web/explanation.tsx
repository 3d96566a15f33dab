/** The explanation of a hit: bars that say where its score came from, and below them all numbers as lists inside lists. */
import type { Lane } from '../../core/model/ranking-constants.ts';
import type { Hit } from './finder.ts';

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

/** The parts of a step. If a part has the same label and value, it only repeats the step: returns the parts of that part. */
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

/** For readers who know nothing of the search: one stacked bar, what changed the score, and how sure the search is. */
function ScoreBars({ explanation }: { readonly explanation: Explained }) {
  const shares = sharesOf(explanation);
  if (shares.length === 0) return null;
  const stages = stagesOf(explanation);
  const largest = Math.max(...stages.map(({ value, stage }) => (stage === 'own' ? 0 : value)));
  const lead = explanation.parts?.find(({ label }) => label === LEAD);
  return (
    <div class="score-bars">
      <p id="score-source">Where its place comes from</p>
      <div class="stack" aria-hidden="true">
        {shares.map(({ name, share, kind }) => (
          <span key={name} style={{ width: `${share * 100}%`, background: `var(--colour-${kind})` }} />
        ))}
      </div>
      <ul class="legend" aria-labelledby="score-source">
        {shares.map(({ name, share, kind }) => (
          <li key={name}>
            <span class="swatch" style={{ background: `var(--colour-${kind})` }} aria-hidden="true" />
            {name} {Math.round(share * 100)} %
          </li>
        ))}
      </ul>
      {stages.length > 1 && (
        <>
          <p id="score-stages">What changed it, one after the other</p>
          <ul class="stages" aria-labelledby="score-stages">
            {stages.map(({ name, value, stage }) => (
              <li key={name}>
                {name} {value.toFixed(2)}
                {stage === 'shared' && (
                  <div class="stack" aria-hidden="true">
                    <span style={{ width: `${(value / largest) * 100}%` }} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Chance of="How close it is to what you ask" value={explanation.value} />
      {lead && <Chance of="How sure it is the right one, by its lead over those below" value={lead.value} />}
    </div>
  );
}

function Chance({ of, value }: { readonly of: string; readonly value: number }) {
  return (
    <>
      <p>
        {of}: {Math.round(value * 100)} of 100
      </p>
      <div class="stack" aria-hidden="true">
        <span style={{ width: `${value * 100}%` }} />
      </div>
    </>
  );
}

/** The share that each group has in the weighted sum; groups with less than half a percent are left out. */
function sharesOf({ parts: steps = [] }: Explained) {
  const fused = steps.find(({ label }) => label === 'fused');
  const lifted = steps.find(({ label }) => label === 'fused + likeness');
  const ofFused = lifted?.parts?.find(({ label }) => label === 'fused')?.weight ?? 1;
  const given = [
    ...(fused?.parts ?? []).map((part) => ({ ...part, value: part.value * ofFused })),
    ...(lifted?.parts ?? []),
  ];
  const sums = GROUPS.map((name, kind) => {
    const own = given.filter(({ label }) => STEPS[label]?.group === name);
    const sum = own.reduce((all, { value, weight = 1 }) => all + Math.max(0, value * weight), 0);
    return { name, kind, sum };
  });
  const total = sums.reduce((all, { sum }) => all + sum, 0);
  return sums
    .map(({ name, kind, sum }) => ({ name, kind, share: sum / total }))
    .filter(({ share }) => share >= 0.005);
}

/** Exported for a test, which fails if core renames a stage: otherwise the stage would silently lose its line. */
export function stagesOf({ parts = [] }: Pick<Explained, 'parts'>) {
  const known = parts.flatMap((part) => [part, ...(part.parts ?? [])]);
  return Object.entries(STEPS).flatMap(([label, { name, stage }]) => {
    const step = parts.find((part) => part.label === label) ?? known.find((part) => part.label === label);
    return stage && step ? [{ name, value: step.value, stage }] : [];
  });
}

/** Kinds of lanes in words that readers know. Each has a colour. */
const GROUPS = ['Meaning', 'Words', 'Title and headings', 'Links', 'Names in code'] as const;

interface Step {
  readonly name: string;
  readonly group?: (typeof GROUPS)[number];
  /** Set if the step changes the score that orders the hits. `shared` steps have bars on one scale; `own` steps have no bars. */
  readonly stage?: 'shared' | 'own';
}

/** The steps by label; those with a `stage` are in the order in which they run. A step without an entry is shown by its label. */
export const STEPS: Readonly<Record<Lane, Step> & Record<string, Step>> = {
  score: { name: 'Score' },
  confidence: { name: 'How sure it is' },
  fused: { name: 'What matched', stage: 'shared' },
  'fused + likeness': { name: 'With likeness to the best passages', stage: 'shared' },
  'fused × recency': { name: 'Raised for new documents', stage: 'shared' },
  'fused × community': { name: 'Raised by linked documents', stage: 'shared' },
  'fused, for an exact match': { name: 'Raised for an exact match', stage: 'shared' },
  'reranked by': { name: 'Read again by a second model', stage: 'own' },
  MMR: { name: 'Lowered if hits above say the same', stage: 'own' },
  'absolute score': { name: 'Absolute score' },
  recency: { name: 'How new the document is' },
  'likeness to the best': { name: 'Like the best passage in meaning', group: 'Meaning' },
  semantic: { name: 'Close to the query in meaning', group: 'Meaning' },
  subject: { name: 'Close to the subject of the query', group: 'Meaning' },
  keyword: { name: 'Words of the query in the passage', group: 'Words' },
  coverage: { name: 'How much of the query the passage matches', group: 'Words' },
  nearness: { name: 'Words of the query close together', group: 'Words' },
  document: { name: 'Words of the query in the whole document', group: 'Words' },
  title: { name: 'Words of the query in the title', group: 'Title and headings' },
  name: { name: 'Words of the query in the name of the file', group: 'Title and headings' },
  heading: { name: 'Words of the query in the headings', group: 'Title and headings' },
  graph: { name: 'Links from other good hits', group: 'Links' },
  code: { name: 'Names in code', group: 'Names in code' },
};

/** Label of the step that says how probable it is that a hit is the right one. */
export const LEAD = 'likely right, by its lead over the documents below';
