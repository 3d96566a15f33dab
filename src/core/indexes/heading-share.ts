/** How much of a query the headings of a passage cover, and how much of the headings the query covers. */
import { KEYWORD_FIELDS } from '../model/query.ts';
import { type Shares, UNNAMED } from './file-name-share.ts';
import type { LiveSegments } from './live-segments.ts';
import type { Segment } from './segment.ts';
import type { WeighedWord } from './weighed-words.ts';

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** For the units of an index whose fields are `KEYWORD_FIELDS`; each unit is looked at when it is asked for. */
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
    if (place === undefined) return UNNAMED;
    const { segment, find } = place.owner;
    const length = segment.lengths[HEADERS * segment.units.length + place.local]!;
    if (length === 0) return UNNAMED;
    let asked = 0;
    let matched = 0;
    for (const { terms, idf } of distinct) {
      const before = matched;
      for (const term of terms) matched += headingFrequency(segment, find(term), place.local);
      if (matched > before) asked += idf;
    }
    if (matched === 0) return UNNAMED;
    return {
      asked: asked / total,
      said: { value: Math.min(1, matched / length), matched, total: length },
    };
  }

  return (unit) => {
    const shares = known.get(unit) ?? look(unit);
    known.set(unit, shares);
    return shares;
  };
}

/** How often a term, or −1, stands in the headings of a unit; found by bisection. */
function headingFrequency(
  { entryStarts, entryUnits, entryFields, entryFrequencies }: Segment,
  term: number,
  local: number,
): number {
  if (term < 0) return 0;
  const end = entryStarts[term + 1]!;
  let low = entryStarts[term]!;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entryUnits[middle]! < local) low = middle + 1;
    else high = middle;
  }
  for (; low < end && entryUnits[low] === local; low++) {
    if (entryFields[low] === HEADERS) return entryFrequencies[low]!;
  }
  return 0;
}
