/** The units that match one query term, collected from all segments into arrays that are reused. */
import { enlarged } from './arrays.ts';
import type { LiveSegment } from './live-segments.ts';
import type { PhraseEntry } from './phrase.ts';
import { FIELD_BITS, FIELD_MASK } from './posting-codec.ts';

/** Weights of occurrences in field `f`: `weight[f] · tf / (base[f] + slope[f] · length)`. */
export interface FieldNorms {
  /** 0 leaves the field out. */
  readonly weight: Float64Array;
  readonly base: Float64Array;
  readonly slope: Float64Array;
}

export type Matches = ReturnType<typeof createMatches>;

export function createMatches() {
  /** The units that match, and the weighted frequency of the term in each, above 0. Only the first `count` numbers are valid. */
  const state = { units: new Uint32Array(1024), frequencies: new Float64Array(1024), count: 0 };
  /** For each unit, its index in the combined list plus 1. All 0 between two calls. */
  let places = new Uint32Array(0);

  function reserve(size: number): void {
    if (size <= state.units.length) return;
    state.units = enlarged(state.units, size);
    state.frequencies = enlarged(state.frequencies, size);
  }

  return Object.assign(state, {
    clear() {
      state.count = 0;
    },

    /**
     * Appends the live units of a segment that have `term` in a field with a weight above 0. This is the innermost loop of every
     * lexical search: the loop allocates nothing and calls no function.
     */
    addTerm({ segment, dead, postingsOf }: LiveSegment, term: number, { weight, base, slope }: FieldNorms) {
      const { units: globalUnits, lengths } = segment;
      const { units: entryUnits, occurrences } = postingsOf(term);
      const unitCount = globalUnits.length;
      const end = entryUnits.length;
      let entry = 0;
      reserve(state.count + end);
      const { units: toUnits, frequencies: toFrequencies } = state;
      let to = state.count;
      while (entry < end) {
        const local = entryUnits[entry]!;
        let frequency = 0;
        do {
          const occurrence = occurrences[entry]!;
          const field = occurrence & FIELD_MASK;
          const length = lengths[field * unitCount + local]!;
          frequency +=
            (weight[field]! * (occurrence >>> FIELD_BITS)) / (base[field]! + slope[field]! * length);
          entry++;
        } while (entry < end && entryUnits[entry] === local);
        if (frequency > 0 && dead[local] === 0) {
          toUnits[to] = globalUnits[local]!;
          toFrequencies[to] = frequency;
          to++;
        }
      }
      state.count = to;
    },

    /** Appends the units of `entries`, except for fields of weight 0. A unit with several fields is appended several times. */
    addEntries({ segment }: LiveSegment, entries: Iterable<PhraseEntry>, norms: FieldNorms) {
      const { units: globalUnits, lengths } = segment;
      const { weight, base, slope } = norms;
      for (const { local, field, frequency } of entries) {
        if (weight[field] === 0) continue;
        reserve(state.count + 1);
        const length = lengths[field * globalUnits.length + local]!;
        state.units[state.count] = globalUnits[local]!;
        state.frequencies[state.count++] =
          (weight[field]! * frequency) / (base[field]! + slope[field]! * length);
      }
    },

    /** Merges units that were appended more than once, and sums their frequencies. All units are below `limit`. */
    combine(limit: number) {
      const { units, frequencies, count } = state;
      if (places.length < limit) places = new Uint32Array(limit);
      let kept = 0;
      for (let i = 0; i < count; i++) {
        const unit = units[i]!;
        const place = places[unit]!;
        if (place > 0) {
          frequencies[place - 1]! += frequencies[i]!;
          continue;
        }
        units[kept] = unit;
        frequencies[kept] = frequencies[i]!;
        places[unit] = ++kept;
      }
      state.count = kept;
      for (let i = 0; i < kept; i++) places[units[i]!] = 0;
    },
  });
}
