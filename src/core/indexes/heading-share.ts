/** How much of a query the headings of a passage say, and how much of the headings the query says. */
import { KEYWORD_FIELDS, type QueryWord } from '../model/query.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { findWord } from './dictionary.ts';
import { type Shares, UNNAMED } from './file-name-share.ts';
import { countLive, type LiveSegment, type LiveSegments } from './live-segments.ts';
import type { Segment } from './segment.ts';

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** For the units of an index whose fields are `KEYWORD_FIELDS`; looks at the unit asked for alone. */
export function headingShares(segments: LiveSegments, words: readonly QueryWord[]): (unit: number) => Shares {
  const known = new Map<string, QueryWord>(words.map((word) => [word.term, word]));
  const weighed = [...known.values()].map(({ term, forms = [] }) => {
    const terms = [term, ...forms].map((form) => form.toWellFormed());
    const units = Math.max(...terms.map((each) => countLive(segments, each)));
    return { terms, idf: inverseUnitFrequency(segments.count, units) };
  });
  const total = weighed.reduce((sum, { idf }) => sum + idf, 0);
  const places = new Map<LiveSegment, readonly (readonly number[])[]>();
  function termsIn(owner: LiveSegment): readonly (readonly number[])[] {
    const { terms } = owner.segment;
    const found = weighed.map((word) =>
      word.terms.map((term) => findWord(terms, term)).filter((at) => at >= 0),
    );
    places.set(owner, found);
    return found;
  }
  return (unit) => {
    const place = segments.locate(unit);
    if (place === undefined || total === 0) return UNNAMED;
    const { owner, local } = place;
    const { segment } = owner;
    const length = segment.lengths[HEADERS * segment.units.length + local]!;
    if (length === 0) return UNNAMED;
    let [asked, said] = [0, 0];
    for (const [index, terms] of (places.get(owner) ?? termsIn(owner)).entries()) {
      const count = terms.reduce((sum, term) => sum + frequencyIn(segment, term, local), 0);
      if (count > 0) asked += weighed[index]!.idf;
      said += count;
    }
    return {
      asked: asked / total,
      said: { value: Math.min(1, said / length), matched: said, total: length },
    };
  };
}

/** How often the headings of a unit hold a term; bisects its entries, which are in order of unit. */
function frequencyIn(
  { entryStarts, entryUnits, entryFields, entryFrequencies }: Segment,
  term: number,
  local: number,
): number {
  let low = entryStarts[term]!;
  const end = entryStarts[term + 1]!;
  for (let high = end; low < high; ) {
    const middle = (low + high) >>> 1;
    if (entryUnits[middle]! < local) low = middle + 1;
    else high = middle;
  }
  for (; low < end && entryUnits[low] === local; low++) {
    if (entryFields[low] === HEADERS) return entryFrequencies[low]!;
  }
  return 0;
}
