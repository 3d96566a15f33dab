/** Finds the index terms of words that begin with a prefix. */
import { compareText } from '../text/compare-text.ts';
import { prefixRange, wordAt, wordCount } from './dictionary.ts';
import { countLive, type LiveSegments } from './live-segments.ts';

/** Max number of terms of a prefix. More terms would add noise and time, but no useful matches. */
const MAX_TERMS = 64;

/**
 * Returns the terms of live units that a prefix matches, ordered by frequency (highest first), then as in the dictionary. A term
 * matches if one of its words as written begins with `prefix`: "calibrati*" finds the stem "calibr".
 * @param prefix folded as the index folds its words
 */
export function expandPrefix(segments: LiveSegments, prefix: string): readonly string[] {
  const terms = new Set<string>();
  for (const { segment } of segments.all) {
    const hasSurfaces = wordCount(segment.surfaces) > 0;
    const [from, to] = prefixRange(hasSurfaces ? segment.surfaces : segment.terms, prefix);
    for (let i = from; i < to; i++) {
      terms.add(wordAt(segment.terms, hasSurfaces ? segment.surfaceTerms[i]! : i));
    }
  }
  return [...terms]
    .map((term) => ({ term, units: countLive(segments, term) }))
    .filter(({ units }) => units > 0)
    .sort((a, b) => b.units - a.units || compareText(a.term, b.term))
    .slice(0, MAX_TERMS)
    .map(({ term }) => term);
}
