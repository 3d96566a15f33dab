/** How much of a query the headings of a passage cover, and how much of the headings the query covers. */
import { KEYWORD_FIELDS } from '../model/query.ts';
import { findWord } from './dictionary.ts';
import { type Shares, UNNAMED } from './file-name-share.ts';
import type { LiveSegments } from './live-segments.ts';
import type { WeighedWord } from './weighed-words.ts';

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** For the units of an index whose fields are `KEYWORD_FIELDS`. */
export function headingShares(
  segments: LiveSegments,
  words: readonly WeighedWord[],
): (unit: number) => Shares {
  const asked = new Float64Array(segments.limit);
  const said = new Uint32Array(segments.limit);
  /** By unit: the last word that was counted in it, from 1. */
  const counted = new Uint32Array(segments.limit);
  let total = 0;
  for (const [index, { terms, idf }] of words.entries()) {
    if (words.findIndex((word) => word.terms[0] === terms[0]) < index) continue;
    total += idf;
    for (const { segment } of segments.all) {
      const { units, entryStarts, entryUnits, entryFields, entryFrequencies } = segment;
      for (const term of terms) {
        const at = findWord(segment.terms, term);
        const end = at < 0 ? 0 : entryStarts[at + 1]!;
        for (let entry = at < 0 ? 0 : entryStarts[at]!; entry < end; entry++) {
          if (entryFields[entry] !== HEADERS) continue;
          const unit = units[entryUnits[entry]!]!;
          said[unit]! += entryFrequencies[entry]!;
          if (counted[unit] !== index + 1) asked[unit]! += idf;
          counted[unit] = index + 1;
        }
      }
    }
  }
  return (unit) => {
    const place = said[unit] ? segments.locate(unit) : undefined;
    if (place === undefined) return UNNAMED;
    const { segment } = place.owner;
    const length = segment.lengths[HEADERS * segment.units.length + place.local]!;
    const matched = said[unit]!;
    return {
      asked: asked[unit]! / total,
      said: { value: Math.min(1, matched / length), matched, total: length },
    };
  };
}
