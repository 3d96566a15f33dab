/** The units that match one query term, gathered segment by segment into arrays that are used again. */
import type { LiveSegment } from './live-segments.ts';
import type { PhraseEntry } from './phrase.ts';

/** How the occurrences in field `f` are weighed: `weight[f] · tf / (base[f] + slope[f] · length)`. */
export interface FieldNorms {
  /** 0 leaves the field out. */
  readonly weight: Float64Array;
  readonly base: Float64Array;
  readonly slope: Float64Array;
}

export interface Matches {
  /** The first `count` members count. */
  readonly units: Uint32Array;
  /** What the term's occurrences in the unit count together, above 0. */
  readonly frequencies: Float64Array;
  readonly count: number;
  clear(): void;
  /** Appends the live units of a segment that hold its term `term` in a field that counts. */
  addTerm(owner: LiveSegment, term: number, norms: FieldNorms): void;
  /** Appends fields of units of a segment that count. */
  addEntries(owner: LiveSegment, entries: Iterable<PhraseEntry>, norms: FieldNorms): void;
  /** Adds up units that are there more than once; all are below `limit`. */
  combine(limit: number): void;
}

/** Starts empty. */
export function createMatches(): Matches {
  let units = new Uint32Array(1024);
  let frequencies = new Float64Array(1024);
  let count = 0;
  /** Where each unit is among those that `combine` keeps, plus 1; all 0 between two calls. */
  let places = new Uint32Array(0);

  function reserve(size: number): void {
    if (size <= units.length) return;
    const capacity = Math.max(size, units.length * 2);
    const [oldUnits, oldFrequencies] = [units, frequencies];
    units = new Uint32Array(capacity);
    frequencies = new Float64Array(capacity);
    units.set(oldUnits);
    frequencies.set(oldFrequencies);
  }

  return {
    get units() {
      return units;
    },
    get frequencies() {
      return frequencies;
    },
    get count() {
      return count;
    },
    clear() {
      count = 0;
    },

    // The innermost loop of every lexical search: nothing is allocated or called in it.
    addTerm({ segment, dead }, term, { weight, base, slope }) {
      const { units: globalUnits, lengths, entryUnits, entryFields, entryFrequencies } = segment;
      const unitCount = globalUnits.length;
      const end = segment.entryStarts[term + 1]!;
      let entry = segment.entryStarts[term]!;
      reserve(count + end - entry);
      const toUnits = units;
      const toFrequencies = frequencies;
      let to = count;
      while (entry < end) {
        const local = entryUnits[entry]!;
        let frequency = 0;
        do {
          const field = entryFields[entry]!;
          const length = lengths[field * unitCount + local]!;
          frequency += (weight[field]! * entryFrequencies[entry]!) / (base[field]! + slope[field]! * length);
          entry++;
        } while (entry < end && entryUnits[entry] === local);
        if (frequency > 0 && dead[local] === 0) {
          toUnits[to] = globalUnits[local]!;
          toFrequencies[to] = frequency;
          to++;
        }
      }
      count = to;
    },

    addEntries({ segment: { units: globalUnits, lengths } }, entries, { weight, base, slope }) {
      for (const { local, field, frequency } of entries) {
        if (weight[field] === 0) continue;
        reserve(count + 1);
        units[count] = globalUnits[local]!;
        frequencies[count] =
          (weight[field]! * frequency) /
          (base[field]! + slope[field]! * lengths[field * globalUnits.length + local]!);
        count++;
      }
    },

    combine(limit) {
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
      count = kept;
      for (let i = 0; i < count; i++) places[units[i]!] = 0;
    },
  };
}
