/** The words of a segment in reading order, and the counting sort that turns them into postings. */
import type { Steps } from '../steps.ts';
import { enlarged } from './arrays.ts';
import { allocateTables, MAX_FREQUENCY, NO_POSITION, type SegmentTables } from './segment.ts';

/** Number of words that are sorted in one step. */
const STEP = 65_536;

/** A list of words as numbers, in typed arrays with 6 bytes per word. */
export interface WordLog {
  /** Begins a run: the words of one field of one unit. Open runs in ascending order of unit, then field. */
  openRun(unit: number, field: number): void;
  /** Whether the last run is for this unit and field. */
  inRun(unit: number, field: number): boolean;
  push(word: number, position: number): void;
  /** Returns how often each word below `limit` was pushed. */
  count(limit: number): Uint32Array;
  /**
   * Makes the tables of a segment; units and lengths are left at 0.
   * @param places by word: index of its term in the dictionary
   */
  sort(
    places: Uint32Array,
    shape: {
      readonly fieldCount: number;
      readonly unitCount: number;
      readonly termCount: number;
      readonly positions: boolean;
    },
  ): Steps<SegmentTables>;
}

export function createWordLog(): WordLog {
  const runStarts: number[] = [];
  const runUnits: number[] = [];
  const runFields: number[] = [];
  let words = new Uint32Array(1024);
  let positions = new Uint16Array(1024);
  let count = 0;

  return {
    openRun(unit, field) {
      runStarts.push(count);
      runUnits.push(unit);
      runFields.push(field);
    },
    inRun: (unit, field) => runUnits.at(-1) === unit && runFields.at(-1) === field,
    push(word, position) {
      if (count === words.length) {
        words = enlarged(words, count * 2);
        positions = enlarged(positions, count * 2);
      }
      words[count] = word;
      positions[count] = Math.min(position, NO_POSITION);
      count++;
    },

    count(limit) {
      const counts = new Uint32Array(limit);
      for (let at = 0; at < count; at++) counts[words[at]!]!++;
      return counts;
    },

    *sort(places, shape) {
      const { fieldCount, unitCount, termCount } = shape;
      const entryCounts = new Uint32Array(termCount);
      const wordCounts = new Uint32Array(termCount);
      const frequencies = new Uint32Array(termCount);
      const lastRun = new Uint32Array(termCount);
      yield* eachWord((term) => {
        if (frequencies[term] === 1) entryCounts[term]!++;
        if (frequencies[term]! <= MAX_FREQUENCY) wordCounts[term]!++;
      });

      const tables = allocateTables(
        fieldCount,
        unitCount,
        entryCounts,
        shape.positions ? wordCounts : undefined,
      );
      const nextEntry = tables.entryStarts.slice();
      const nextPosition = tables.positionStarts.slice();
      yield* eachWord((term, run, word) => {
        if (frequencies[term] === 1) {
          const entry = nextEntry[term]!++;
          const unit = runUnits[run]!;
          const isFirst = entry === tables.entryStarts[term] || tables.entryUnits[entry - 1] !== unit;
          if (isFirst) tables.unitFrequencies[term]!++;
          tables.entryUnits[entry] = unit;
          tables.entryFields[entry] = runFields[run]!;
        }
        if (frequencies[term]! > MAX_FREQUENCY) return;
        tables.entryFrequencies[nextEntry[term]! - 1]!++;
        if (shape.positions) tables.positions[nextPosition[term]!++] = positions[word]!;
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
