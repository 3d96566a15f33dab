/** Computes how much of a query a passage's headings cover, and how much of the headings the query covers. */
import { KEYWORD_FIELDS } from '../model/query.ts';
import type { LiveSegments } from './live-segments.ts';
import { NO_SHARES, type Shares } from './name-share.ts';
import { firstEntry, type Segment } from './segment.ts';
import type { WeighedWord } from './weighed-words.ts';

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** Makes a function that computes the shares of a unit on demand. The fields of the index must be `KEYWORD_FIELDS`. */
export function headingShares(
  segments: LiveSegments,
  words: readonly WeighedWord[],
): (unit: number) => Shares {
  const distinct = words.filter(
    ({ terms: [term] }, index) => words.findIndex(({ terms }) => terms[0] === term) === index,
  );
  const total = distinct.reduce((sum, { idf }) => sum + idf, 0);
  const known = new Map<number, Shares>();
  function look(unit: number): Shares {
    const place = segments.locate(unit);
    if (place === undefined) return NO_SHARES;
    const { segment, find } = place.owner;
    const length = segment.lengths[HEADERS * segment.units.length + place.local]!;
    if (length === 0) return NO_SHARES;
    let asked = 0;
    let matched = 0;
    for (const { terms, idf } of distinct) {
      const before = matched;
      for (const term of terms) matched += headingFrequency(segment, find(term), place.local);
      if (matched > before) asked += idf;
    }
    if (matched === 0) return NO_SHARES;
    return {
      ofQuery: asked / total,
      ofName: { value: Math.min(1, matched / length), matched, total: length },
    };
  }

  return (unit) => {
    const shares = known.get(unit) ?? look(unit);
    known.set(unit, shares);
    return shares;
  };
}

/** Returns how often a term occurs in the headings of a unit; 0 for term −1. */
function headingFrequency(segment: Segment, term: number, local: number): number {
  if (term < 0) return 0;
  const { entryStarts, entryUnits, entryFields, entryFrequencies } = segment;
  const end = entryStarts[term + 1]!;
  for (let entry = firstEntry(segment, term, local); entry < end && entryUnits[entry] === local; entry++) {
    if (entryFields[entry] === HEADERS) return entryFrequencies[entry]!;
  }
  return 0;
}
