/** Recency: raises the scores of newer documents a little, in two steps: up to 7 and up to 30 days old. */

const DAY = 24 * 60 * 60 * 1000;

/** Factors at the usual bias. The first tier with enough days for the document's age is used. */
const TIERS: readonly { readonly days: number; readonly factor: number }[] = [
  { days: 7, factor: 1.2 },
  { days: 30, factor: 1.1 },
];

/** The bias at which the factors of the tiers are used unchanged. */
const USUAL_BIAS = 0.5;

/** Max days by which the date of a new file can be in the future, because of time zones and fast clocks. */
const DAYS_AHEAD = 1;

/**
 * `1 + (factor of the tier − 1) · bias / 0.5` for documents at most 7 or 30 days old, else 1. A date more than a day ahead
 * (`isAhead`) gives 1, like a missing date.
 * @param modified milliseconds since 1970, negative before
 * @param bias 0 (off) to 1 (twice the usual boost)
 */
export function recencyFactor(modified: number, now: number, bias: number): number {
  const age = ageInDays(modified, now);
  const tier = isAhead(modified, now) ? undefined : TIERS.find(({ days }) => age <= days);
  return 1 + ((tier?.factor ?? 1) - 1) * (bias / USUAL_BIAS);
}

/** Whether a date is more than a day in the future: it is a mistake or an appointment, not the time of a change. */
export function isAhead(modified: number, now: number): boolean {
  return ageInDays(modified, now) < -DAYS_AHEAD;
}

/** Age in days; negative for a date in the future. */
export function ageInDays(modified: number, now: number): number {
  return (now - modified) / DAY;
}
