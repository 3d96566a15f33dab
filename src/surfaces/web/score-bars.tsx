/** Where the score of a hit came from, for readers who know nothing of the search: one stacked bar, and how sure the search is. */
import type { Hit } from './finder.ts';
import { GROUPS, LEAD, STEPS } from './score-steps.ts';

type Explanation = NonNullable<Hit['explanation']>;

export function ScoreBars({ explanation }: { readonly explanation: Explanation }) {
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

/** The share that each group has in the weighted sum; groups that gave nothing are left out. */
function sharesOf({ parts: steps = [] }: Explanation) {
  const fused = steps.find(({ label }) => label === 'fused');
  const lifted = steps.find(({ label }) => label === 'fused + likeness');
  const ofFused = lifted?.parts?.find(({ label }) => label === 'fused')?.weight ?? 1;
  const given = [
    ...(fused?.parts ?? []).map((part) => ({ ...part, value: part.value * ofFused })),
    ...(lifted?.parts ?? []),
  ];
  const sums = GROUPS.map((name, kind) => {
    const own = given.filter(({ label }) => STEPS[label]?.group === name);
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
  return Object.entries(STEPS).flatMap(([label, { name, stage }]) => {
    const step = parts.find((part) => part.label === label) ?? known.find((part) => part.label === label);
    return stage && step ? [{ name, value: step.value, stage }] : [];
  });
}
