/** Builds a segment from texts: numbers the terms in one pass, then sorts by term with a counting sort. */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { enlarged, runningSum } from './arrays.ts';
import { createDictionary } from './dictionary.ts';
import { createPostingWriter, FIELD_MASK, MAX_FREQUENCY, NO_POSITION, occurrence } from './posting-codec.ts';
import type { Segment } from './segment.ts';
import { createSpellings, packSurfaces } from './spellings.ts';

/** Calls `visit` for each term of a text, in order of position, and returns the number of positions. */
export type Analyze = (
  text: string,
  visit: (term: string, position: number, start: number, end: number) => void,
) => number;

export interface SegmentOptions {
  /** 1–16: an entry has four bits for its field. */
  readonly fieldCount: number;
  readonly analyze: Analyze;
  /** Whether to keep positions; phrases need them. @default false */
  readonly positions?: boolean;
  /** Folds a word of the text to its form in the surface dictionary. If absent, the segment has no surface dictionary. */
  readonly foldSurface?: (written: string) => string;
}

export type SegmentBuilder = ReturnType<typeof createSegmentBuilder>;

/**
 * Starts a segment. Before `build`, the words need 6 bytes each, plus the dictionary. A good size is some ten thousand chunks, or
 * some million words.
 * @throws RangeError if there are more than 16 fields
 */
export function createSegmentBuilder(options: SegmentOptions) {
  const { fieldCount, foldSurface, positions = false } = options;
  if (fieldCount > FIELD_MASK + 1)
    throw new RangeError(`A segment has at most 16 fields, not ${fieldCount}.`);
  const spellings = createSpellings();
  const log = createWordLog(positions);
  const units: number[] = [];
  const lengths = Array.from({ length: fieldCount }, (): number[] => []);
  /** The text being read, and its start position in the field. */
  let text = '';
  let offset = 0;

  function visit(term: string, position: number, start: number, end: number): void {
    const written = foldSurface ? text.slice(start, end) : term;
    log.push(spellings.numberOf(written, term), position + offset);
  }

  return {
    /**
     * Adds text to a field of a unit. Add all texts of a unit one after the other, with fields in ascending order. A field may
     * have several texts (tags, headings): their lengths are summed, but no phrase matches across two texts.
     * @param analyze replaces the `analyze` of the segment
     */
    add(unit: number, field: number, given: string, analyze: Analyze = options.analyze): void {
      if (units.at(-1) !== unit) {
        units.push(unit);
        for (const ofField of lengths) ofField.push(0);
      }
      const local = units.length - 1;
      if (!log.inRun(local, field)) {
        log.openRun(local, field);
        offset = 0;
      }
      // Replace lone surrogates now: saving a segment would change them.
      text = given.toWellFormed();
      const length = analyze(text, visit);
      lengths[field]![local]! += length;
      // Leave one position free between two texts, so that no phrase matches across them.
      offset += length + 1;
    },

    /** Makes the segment of all added texts. The builder cannot be used afterwards. */
    *build(): Steps<Segment> {
      const terms = [...new Set(spellings.terms)].sort(compareText);
      yield;
      const placeOf = new Map(terms.map((term, place) => [term, place]));
      const places = Uint32Array.from(spellings.terms, (term) => placeOf.get(term)!);
      yield;
      const counts = log.count(places.length);
      const written = yield* foldSurface ? spellings.surfaces(foldSurface, counts, places) : packSurfaces([]);
      yield;
      const postings = yield* log.sort(places, counts, terms.length);
      return {
        fieldCount,
        units: Uint32Array.from(units),
        lengths: Uint32Array.from(lengths.flat()),
        ...postings,
        ...written,
        terms: createDictionary(terms),
      };
    },
  };
}

type PostingParts = ReturnType<ReturnType<typeof createPostingWriter>['finish']>;

/** Number of words, or of terms, in one step. */
const STEP = 65_536;

/** A list of words as numbers, in typed arrays with 6 bytes per word. */
function createWordLog(isPlaced: boolean) {
  const runStarts: number[] = [];
  const runUnits: number[] = [];
  const runFields: number[] = [];
  let words = new Uint32Array(1024);
  let positions = new Uint16Array(1024);
  let count = 0;

  return {
    /** Begins a run: the words of one field of one unit. Open runs in ascending order of unit, then field. */
    openRun(unit: number, field: number) {
      runStarts.push(count);
      runUnits.push(unit);
      runFields.push(field);
    },
    /** Whether the last run is for this unit and field. */
    inRun: (unit: number, field: number) => runUnits.at(-1) === unit && runFields.at(-1) === field,
    push(word: number, position: number) {
      if (count === words.length) {
        words = enlarged(words, count * 2);
        positions = enlarged(positions, count * 2);
      }
      words[count] = word;
      positions[count] = Math.min(position, NO_POSITION);
      count++;
    },
    /** Returns how often each word below `limit` was pushed. */
    count(limit: number): Uint32Array {
      const counts = new Uint32Array(limit);
      for (let at = 0; at < count; at++) counts[words[at]!]!++;
      return counts;
    },
    /**
     * Makes the postings of all words.
     * @param places by word: index of its term in the dictionary
     * @param frequencies by word: how often it was pushed
     */
    *sort(places: Uint32Array, frequencies: Uint32Array, termCount: number): Steps<PostingParts> {
      const counts = new Uint32Array(termCount);
      for (let word = 0; word < places.length; word++) counts[places[word]!]! += frequencies[word]!;
      const starts = runningSum(counts);
      const next = starts.slice();
      /** Run and position of each word, ordered by term. */
      const inRuns = new Uint32Array(count);
      const placed = new Uint16Array(isPlaced ? count : 0);
      for (let run = 0; run < runStarts.length; run++) {
        const end = runStarts[run + 1] ?? count;
        for (let word = runStarts[run]!; word < end; word++) {
          const at = next[places[words[word]!]!]!++;
          inRuns[at] = run;
          if (isPlaced) placed[at] = positions[word]!;
          if (word % STEP === 0) yield;
        }
      }

      const writer = createPostingWriter(isPlaced, count * (isPlaced ? 3 : 2));
      for (let term = 0; term < termCount; term++) {
        const end = starts[term + 1]!;
        for (let at = starts[term]!; at < end; ) {
          const first = at;
          const run = inRuns[first]!;
          while (at < end && inRuns[at] === run) at++;
          const frequency = Math.min(at - first, MAX_FREQUENCY);
          writer.entry(runUnits[run]!, occurrence(runFields[run]!, frequency));
          if (isPlaced)
            for (let word = first; word < first + frequency; word++) writer.position(placed[word]!);
        }
        writer.endTerm();
        if (term % STEP === 0) yield;
      }
      return writer.finish();
    },
  };
}
