/** Builds a segment from texts: numbers the terms in one pass, then sorts by term with a counting sort. */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { enlarged } from './arrays.ts';
import { createDictionary } from './dictionary.ts';
import {
  allocateTables,
  FIELD_MASK,
  MAX_FREQUENCY,
  NO_POSITION,
  occurrence,
  type Segment,
  type SegmentTables,
} from './segment.ts';
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
  const log = createWordLog(fieldCount, positions);
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
      const tables = yield* log.sort(places, units.length, terms.length);
      tables.units.set(units);
      for (const [field, ofUnits] of lengths.entries()) tables.lengths.set(ofUnits, field * units.length);
      yield;
      const written = yield* foldSurface
        ? spellings.surfaces(foldSurface, log.count(places.length), places)
        : packSurfaces([]);
      yield;
      return { ...tables, ...written, terms: createDictionary(terms) };
    },
  };
}

/** Number of words that are sorted in one step. */
const STEP = 65_536;

/** A list of words as numbers, in typed arrays with 6 bytes per word. */
function createWordLog(fieldCount: number, isPlaced: boolean) {
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
     * Makes the tables of a segment; units and lengths are left at 0.
     * @param places by word: index of its term in the dictionary
     */
    *sort(places: Uint32Array, unitCount: number, termCount: number): Steps<SegmentTables> {
      const entryCounts = new Uint32Array(termCount);
      const wordCounts = new Uint32Array(termCount);
      const frequencies = new Uint32Array(termCount);
      const lastRun = new Uint32Array(termCount);
      yield* eachWord((term) => {
        if (frequencies[term] === 1) entryCounts[term]!++;
        if (frequencies[term]! <= MAX_FREQUENCY) wordCounts[term]!++;
      });

      const tables = allocateTables(fieldCount, unitCount, entryCounts, isPlaced ? wordCounts : undefined);
      const nextEntry = tables.entryStarts.slice();
      const nextPosition = tables.positionStarts.slice();
      yield* eachWord((term, run, word) => {
        if (frequencies[term] === 1) {
          const entry = nextEntry[term]!++;
          const unit = runUnits[run]!;
          const isFirst = entry === tables.entryStarts[term] || tables.entryUnits[entry - 1] !== unit;
          if (isFirst) tables.unitFrequencies[term]!++;
          tables.entryUnits[entry] = unit;
        }
        if (frequencies[term]! > MAX_FREQUENCY) return;
        tables.entryOccurrences[nextEntry[term]! - 1] = occurrence(runFields[run]!, frequencies[term]!);
        if (isPlaced) tables.positions[nextPosition[term]!++] = positions[word]!;
      });
      return tables;

      /** Visits every word. During a visit, `frequencies` holds how often its term has been seen in the run so far. */
      function* eachWord(visit: (term: number, run: number, word: number) => void): Steps<void> {
        lastRun.fill(0);
        for (let run = 0; run < runStarts.length; run++) {
          const end = runStarts[run + 1] ?? count;
          for (let word = runStarts[run]!; word < end; word++) {
            const term = places[words[word]!]!;
            if (lastRun[term] !== run + 1) frequencies[term] = 0;
            lastRun[term] = run + 1;
            frequencies[term]!++;
            visit(term, run, word);
            if (word % STEP === 0) yield;
          }
        }
      }
    },
  };
}
