/** The units that match one query term, gathered segment by segment into arrays that are used again. */
import type { LiveSegment } from './live-segments.ts';
import type { PhraseEntry } from './phrase.ts';

/** How a field's occurrences are weighed: `weight · tf / (base + slope · length)`. */
export interface FieldNorm {
  /** 0 leaves the field out. */
  readonly weight: number;
  readonly base: number;
  readonly slope: number;
}

export interface Matches {
  /** The first `count` members count. */
  readonly units: Uint32Array;
  /** What the term's occurrences in the unit count together, above 0. */
  readonly frequencies: Float64Array;
  readonly count: number;
  clear(): void;
  /** Appends the live units of a segment that hold its term `term` in a field that counts. */
  addTerm(owner: LiveSegment, term: number, norms: readonly FieldNorm[]): void;
  /** Appends fields of units of a segment that count. */
  addEntries(owner: LiveSegment, entries: Iterable<PhraseEntry>, norms: readonly FieldNorm[]): void;
  /** Adds up units that are there more than once; all are below `limit`. */
  combine(limit: number): void;
}

/** Starts empty. */
export function createMatches(): Matches {
  let units = new Uint32Array(1024);
  let frequencies = new Float64Array(1024);
  let count = 0;

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
    addTerm({ segment, dead }, term, norms) {
      const { units: globalUnits, lengths, entryUnits, entryFields, entryFrequencies } = segment;
      const unitCount = globalUnits.length;
      const weight = Float64Array.from(norms, (norm) => norm.weight);
      const base = Float64Array.from(norms, (norm) => norm.base);
      const slope = Float64Array.from(norms, (norm) => norm.slope);
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

    addEntries({ segment: { units: globalUnits, lengths } }, entries, norms) {
      for (const { local, field, frequency } of entries) {
        const { weight, base, slope } = norms[field]!;
        if (weight === 0) continue;
        reserve(count + 1);
        units[count] = globalUnits[local]!;
        frequencies[count] =
          (weight * frequency) / (base + slope * lengths[field * globalUnits.length + local]!);
        count++;
      }
    },

    combine(limit) {
      /** Where each unit is among those kept, plus 1. */
      const places = new Uint32Array(limit);
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
    },
  };
}
