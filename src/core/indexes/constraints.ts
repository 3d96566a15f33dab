/** Makes the mask for all retrievers from the query's phrases, exclusions and title words. */
import type { ParsedQuery } from '../model/query.ts';
import { unitsWithPhrase } from './phrase.ts';
import type { Postings } from './postings.ts';
import type { SlotMask } from './retriever.ts';

export interface Constraint {
  /** Absent if every live slot is allowed. */
  readonly mask?: SlotMask;
  /** Whether the query has a phrase that no allowed chunk holds. The words of this phrase are then searched as plain words. */
  readonly relaxed: boolean;
}

/**
 * Narrows a mask to the slots that hold all required terms, all phrases, and none of the excluded terms and phrases. A
 * phrase that no allowed slot holds is ignored: its words still add to scores.
 */
export function constrain(postings: Postings, parsed: ParsedQuery, mask?: SlotMask): Constraint {
  const excluded = [
    ...parsed.excludedTerms.map((term) => postings.unitsWith(term)),
    ...parsed.excludedPhrases.map((phrase) => unitsWithPhrase(postings.segments, phrase)),
  ];
  if (excluded.length + parsed.required.length + parsed.phrases.length === 0) {
    return mask === undefined ? { relaxed: false } : { mask, relaxed: false };
  }
  let allowed = mask?.slice() ?? liveMask(postings);
  for (const slots of excluded) for (const slot of slots) if (slot < allowed.length) allowed[slot] = 0;
  for (const term of parsed.required) allowed = keepOnly(postings.unitsWith(term), allowed).mask;

  let relaxed = false;
  for (const phrase of parsed.phrases) {
    const kept = keepOnly(unitsWithPhrase(postings.segments, phrase), allowed);
    if (kept.count > 0) allowed = kept.mask;
    else relaxed = true;
  }
  return { mask: allowed, relaxed };
}

function liveMask({ segments }: Postings): SlotMask {
  const mask = new Uint8Array(segments.limit);
  for (const { units, dead } of segments.all) {
    for (const [local, unit] of units.entries()) if (dead[local] === 0) mask[unit] = 1;
  }
  return mask;
}

function keepOnly(slots: Iterable<number>, allowed: SlotMask) {
  const mask = new Uint8Array(allowed.length);
  let count = 0;
  for (const slot of slots) {
    if (allowed[slot] !== 1) continue;
    mask[slot] = 1;
    count++;
  }
  return { mask, count };
}
