/** Where the score of a hit came from, for readers who know nothing of the search: one stacked bar, and how sure the search is. */
import type { Hit } from './finder.ts';

type Explanation = NonNullable<Hit['explanation']>;

/** What a reader knows, with the numbers of the explanation that belong to it. */
const GROUPS = [
  { name: 'Meaning', labels: ['semantic', 'subject', 'likeness to the best'] },
  { name: 'Words', labels: ['keyword', 'coverage', 'nearness', 'document'] },
  { name: 'Title and headings', labels: ['title', 'name', 'heading'] },
  { name: 'Links', labels: ['graph'] },
  { name: 'Names in code', labels: ['code'] },
] as const;

/**
 * Stages that change the number which orders the hits, in the order in which they run. The first of them share a scale; a stage
 * with `own` has a number of another kind, which is told without a bar.
 */
export const STAGES: readonly (readonly [label: string, name: string, scale?: 'own'])[] = [
  ['fused', 'What matched'],
  ['fused + likeness', 'With its likeness to the best passages'],
  ['fused × recency', 'Raised for new documents'],
  ['fused × community', 'Raised by linked documents'],
  ['fused, for an exact match', 'The words stand there exactly'],
  ['reranked by', 'Read again by a second model', 'own'],
  ['MMR', 'Less what hits above say already', 'own'],
];

export function ScoreBars({ explanation }: { readonly explanation: Explanation }) {
  const shares = sharesOf(explanation);
  if (shares.length === 0) return null;
  const stages = stagesOf(explanation);
  const largest = Math.max(...stages.map(({ value, scale }) => (scale ? 0 : value)));
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
            {stages.map(({ name, value, scale }) => (
              <li key={name}>
                {name} {value.toFixed(2)}
                {!scale && (
                  <div class="stack" aria-hidden="true">
                    <span style={{ width: `${(value / largest) * 100}%` }} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>How sure the search is that it answers: {Math.round(explanation.value * 100)} of 100</p>
      <div class="stack" aria-hidden="true">
        <span style={{ width: `${explanation.value * 100}%` }} />
      </div>
    </div>
  );
}

/** The share that each group has in the weighted sum; groups that gave nothing are left out. */
function sharesOf({ parts: steps = [] }: Explanation) {
  const fused = steps.find(({ label }) => label === 'fused');
  const lifted = steps.find(({ label }) => label === 'fused + likeness');
  const ofFused = lifted?.parts?.find(({ label }) => label === 'fused')?.weight ?? 1;
  const given = [
    ...(fused?.parts ?? []).map((part) => ({ ...part, value: part.value * ofFused })),
    ...(lifted?.parts ?? []),
  ];
  const sums = GROUPS.map(({ name, labels }, kind) => {
    const own = given.filter(({ label }) => (labels as readonly string[]).includes(label));
    return {
      name,
      kind,
      sum: own.reduce((all, { value, weight = 1 }) => all + Math.max(0, value * weight), 0),
    };
  });
  const total = sums.reduce((all, { sum }) => all + sum, 0);
  return sums
    .map(({ name, kind, sum }) => ({ name, kind, share: sum / total }))
    .filter(({ share }) => share >= 0.005);
}

/** Exported for tests: a stage that is renamed in core would silently lose its line. */
export function stagesOf({ parts = [] }: Pick<Explanation, 'parts'>) {
  const known = parts.flatMap((part) => [part, ...(part.parts ?? [])]);
  return STAGES.flatMap(([label, name, scale]) => {
    const stage = parts.find((part) => part.label === label) ?? known.find((part) => part.label === label);
    return stage ? [{ name, value: stage.value, scale }] : [];
  });
}
