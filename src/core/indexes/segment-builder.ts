/** Builds a segment from texts: numbers the terms in one pass, then sorts by term with a counting sort. */
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
  /** Whether to keep positions; phrases need them. @default false */
  readonly positions?: boolean;
  /** Folds a word as written for the surface dictionary. If absent, the segment has no surface dictionary. */
  readonly foldSurface?: (written: string) => string;
}

export interface SegmentBuilder {
  /**
   * Adds text to a field of a unit. Add all texts of a unit one after the other, with fields in ascending order. A
   * field may have several texts (tags, headings): their lengths are summed, but no phrase matches across two texts.
   * @param analyze replaces the `analyze` of the segment
   */
  add(unit: number, field: number, text: string, analyze?: Analyze): void;
  /** Makes the segment of all added texts. The builder cannot be used afterwards. */
  build(): Steps<Segment>;
}

/**
 * Starts a segment. Until it is built, it needs 6 bytes per word, plus its dictionary. A good size is some ten thousand
 * chunks, or some million words.
 */
export function createSegmentBuilder(options: SegmentOptions): SegmentBuilder {
  const { fieldCount, foldSurface, positions = false } = options;
  const spellings = createSpellings();
  const log = createWordLog();
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
      // Replace lone surrogates now: saving a segment would change them.
      text = given.toWellFormed();
      const length = analyze(text, visit);
      lengths[field]![local]! += length;
      // One position between two texts stays free, so that no phrase matches across them.
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
