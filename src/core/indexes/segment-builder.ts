/** Builds a segment from texts, in one pass that numbers the terms and a counting sort by term. */
import type { Steps } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { createDictionary } from './dictionary.ts';
import type { Segment } from './segment.ts';
import { createSpellings, packSurfaces } from './spellings.ts';
import { createWordLog } from './word-log.ts';

/** Calls `visit` for each term of a text, in order of position, and returns the number of positions. */
export type Analyze = (
  text: string,
  visit: (term: string, position: number, start: number, end: number) => void,
) => number;

export interface SegmentOptions {
  /** 1–255. */
  readonly fieldCount: number;
  readonly analyze: Analyze;
  /** Keep positions, which phrases need. @default false */
  readonly positions?: boolean;
  /** Folds a word as written for the surface dictionary; without it there is no such dictionary. */
  readonly foldSurface?: (written: string) => string;
}

export interface SegmentBuilder {
  /**
   * Adds text to a field of a unit. A unit's calls follow each other, its fields ascend; a field may be given
   * several texts (tags, headings), which count together but hold no phrase across them.
   * @param analyze in place of that of the segment
   */
  add(unit: number, field: number, text: string, analyze?: Analyze): void;
  /** The segment of everything added; the builder is then used up. */
  build(): Steps<Segment>;
}

/**
 * Starts a segment. While it is open it takes 6 bytes a word besides its dictionary: a few ten thousand chunks,
 * or some million words, are a good size for one segment.
 */
export function createSegmentBuilder(options: SegmentOptions): SegmentBuilder {
  const { fieldCount, foldSurface, positions = false } = options;
  const spellings = createSpellings();
  const log = createWordLog();
  const units: number[] = [];
  const lengths = Array.from({ length: fieldCount }, (): number[] => []);
  /** The text being read, and the position at which it begins in its field. */
  let text = '';
  let offset = 0;

  function visit(term: string, position: number, start: number, end: number): void {
    const written = foldSurface ? text.slice(start, end) : term;
    log.push(spellings.numberOf(written, term), position + offset);
  }

  return {
    add(unit, field, given, analyze = options.analyze) {
      if (units.at(-1) !== unit) {
        units.push(unit);
        for (const ofField of lengths) ofField.push(0);
      }
      const local = units.length - 1;
      if (!log.inRun(local, field)) {
        log.openRun(local, field);
        offset = 0;
      }
      // Lone surrogates would not survive being saved.
      text = given.toWellFormed();
      const length = analyze(text, visit);
      lengths[field]![local]! += length;
      // One position is left free, so that no phrase runs from one text into the next.
      offset += length + 1;
    },

    *build() {
      const terms = [...new Set(spellings.terms)].sort(compareText);
      yield;
      const placeOf = new Map(terms.map((term, place) => [term, place]));
      const places = Uint32Array.from(spellings.terms, (term) => placeOf.get(term)!);
      yield;
      const shape = { fieldCount, unitCount: units.length, termCount: terms.length, positions };
      const tables = yield* log.sort(places, shape);
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
