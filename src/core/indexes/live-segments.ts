/** The segments of an index: which units are live, where each unit is, and statistics of live units only. */
import { keepLatest } from '../text/keep-latest.ts';
import { memoize } from '../text/memoize.ts';
import { enlarged } from './arrays.ts';
import { type Dictionary, findWord } from './dictionary.ts';
import type { TermPostings } from './posting-codec.ts';
import { readPostings, type Segment, segmentBytes } from './segment.ts';

export interface LiveSegment {
  /** Loads the segment again if it was unloaded. @throws Error if it was replaced */
  readonly segment: Segment;
  /** Global number of each local unit. */
  readonly units: Uint32Array;
  /** Size of the loaded segment. */
  readonly bytes: number;
  /** `dead[local] === 1` for a unit that is deleted or replaced. */
  readonly dead: Uint8Array;
  /** Number of live units. */
  readonly live: number;
  /** Returns the index of a term, or −1. A search looks up each of its words about five times. */
  readonly find: (term: string) => number;
  /** Returns the postings of a term by its index. Those that were used last are kept. */
  readonly postingsOf: (term: number) => TermPostings;
  /** Reads what is saved of the segment, to find damage. Does nothing while it is unloaded. @throws DocfuseError as `SavedSegment` */
  readonly check: () => void;
  /** Frees the memory of the segment. Does nothing if it was unloaded. @param read loads it again at its next use */
  readonly unload: (read: () => Segment) => void;
}

export interface LiveSegments {
  /** In the order in which they were added. */
  readonly all: readonly LiveSegment[];
  /** A number that changes whenever the segments change. */
  readonly version: number;
  /** Number of live units. */
  readonly count: number;
  /** The largest unit number in any segment so far, plus 1. */
  readonly limit: number;
  /** Number of positions of field `f`, summed over all live units. */
  readonly totalLengths: Float64Array;
  /** Adds a segment. Its units replace older units of the same number. Units for which `isLive` is false are added as dead. */
  add(segment: Segment, isLive?: (unit: number) => boolean): LiveSegment;
  /** Deletes units; unknown ones are ignored. */
  remove(units: Iterable<number>): void;
  /** Replaces the segments `old` by `merged`, which holds their live units, and frees them. Returns it as a segment in use. */
  replace(old: readonly LiveSegment[], merged: Segment | undefined): LiveSegment | undefined;
  /** Returns segment and local number of a unit; undefined if the unit is not live. */
  locate(unit: number): { readonly owner: LiveSegment; readonly local: number } | undefined;
}

export function createLiveSegments(fieldCount: number): LiveSegments {
  const all: Mutable[] = [];
  const state = { version: 0, count: 0, limit: 0, totalLengths: new Float64Array(fieldCount) };
  /** By unit: the serial number of the segment where the unit is live (0: none), and its local number there. */
  let owners = new Uint32Array(0);
  let locals = new Uint32Array(0);
  const bySerial = new Map<number, Mutable>();
  let serial = 0;
  const decoded = keepLatest<number, TermPostings>(mostDecoded, sizeOf);

  function mostDecoded(): number {
    const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.max(DECODED.least, DECODED.share * total);
  }

  function locate(unit: number): { owner: Mutable; local: number } | undefined {
    const owner = bySerial.get(owners[unit] ?? 0);
    return owner && { owner, local: locals[unit]! };
  }

  function bury(unit: number): void {
    const found = locate(unit);
    if (found === undefined) return;
    const { owner, local } = found;
    owner.dead[local] = 1;
    owner.live--;
    owners[unit] = 0;
    state.count--;
    for (let field = 0; field < fieldCount; field++)
      state.totalLengths[field]! -= owner.lengths[field * owner.units.length + local]!;
  }

  function add(segment: Segment, isLive: (unit: number) => boolean = () => true): LiveSegment {
    state.version++;
    const added = createLiveSegment(segment, ++serial, decoded);
    all.push(added);
    bySerial.set(serial, added);
    const { units } = segment;
    for (let local = 0; local < units.length; local++) state.limit = Math.max(state.limit, units[local]! + 1);
    if (state.limit > owners.length) {
      owners = enlarged(owners, state.limit);
      locals = enlarged(locals, state.limit);
    }
    for (let local = 0; local < units.length; local++) {
      const unit = units[local]!;
      if (!isLive(unit)) {
        added.dead[local] = 1;
        continue;
      }
      if (owners[unit]! > 0) bury(unit);
      owners[unit] = added.serial;
      locals[unit] = local;
      added.live++;
    }
    state.count += added.live;
    for (let field = 0; field < fieldCount; field++) {
      const own = segment.lengths.subarray(field * units.length, (field + 1) * units.length);
      let sum = 0;
      for (let local = 0; local < own.length; local++) if (added.dead[local] === 0) sum += own[local]!;
      state.totalLengths[field]! += sum;
    }
    return added;
  }

  return Object.assign(state, {
    all,
    add,
    locate,
    remove(units: Iterable<number>) {
      state.version++;
      for (const unit of units) bury(unit);
    },
    replace(old: readonly LiveSegment[], merged: Segment | undefined) {
      state.version++;
      for (const segment of old) {
        const index = all.findIndex((one) => one === segment);
        const [gone] = index < 0 ? [] : all.splice(index, 1);
        if (gone === undefined) continue;
        for (const [local, unit] of gone.units.entries()) if (gone.dead[local] === 0) bury(unit);
        bySerial.delete(gone.serial);
        gone.unload(refuse);
      }
      return merged && add(merged);
    },
  });
}

interface Mutable extends LiveSegment {
  live: number;
  readonly lengths: Uint32Array;
  readonly serial: number;
}

/**
 * Postings that an index keeps decoded: at most a share of the bytes of its segments, and at least some bytes. A search asks for the same
 * postings several times, and those of all its words must fit.
 */
const DECODED = { share: 1 / 4, least: 12 * 1024 * 1024 };

/** V8 needs some 800 bytes for the arrays, however short. Skips, a fiftieth, are not counted. */
const sizeOf = ({ units, occurrences, positions }: TermPostings) =>
  800 + units.byteLength + occurrences.byteLength + positions.byteLength;

function createLiveSegment(
  segment: Segment,
  serial: number,
  decoded: ReturnType<typeof keepLatest<number, TermPostings>>,
): Mutable {
  let loaded: Segment | undefined = segment;
  const { units, lengths } = segment;
  let load: () => Segment;
  const current = () => (loaded ??= load());
  return {
    get segment() {
      return current();
    },
    find: rememberWords(() => current().terms),
    postingsOf(term) {
      const key = serial * 2 ** 32 + term;
      const known = decoded.get(key);
      if (known) return known;
      const made = readPostings(current(), term);
      decoded.set(key, made);
      return made;
    },
    check: () => loaded?.saved?.check(),
    units,
    lengths,
    bytes: segmentBytes(segment),
    dead: new Uint8Array(units.length),
    live: 0,
    unload(read) {
      if (loaded !== undefined) [load, loaded] = [read, undefined];
    },
    serial,
  };
}

function refuse(): never {
  throw new Error('A replaced segment was read.');
}

/** Maximum number of cached words per segment. When the cache is full, it is emptied. */
const REMEMBERED = 1_000;

function rememberWords(terms: () => Dictionary): (word: string) => number {
  const known = new Map<string, number>();
  return memoize((word: string) => {
    if (known.size === REMEMBERED) known.clear();
    return findWord(terms(), word);
  }, known);
}

/** Makes a function that makes a value at its first use, and again after each change of the segments. */
export function untilChange<T>(segments: LiveSegments, make: () => T): () => T {
  let version = -1;
  let made: T;
  return () => {
    if (version !== segments.version) made = make();
    version = segments.version;
    return made;
  };
}

/** Returns the number of live units that hold a term in any field. */
export function countLive(segments: LiveSegments, term: string): number {
  let count = 0;
  for (const { segment, dead, live, find, postingsOf } of segments.all) {
    const index = find(term);
    if (index < 0) continue;
    if (live === dead.length) {
      count += segment.unitFrequencies[index]!;
      continue;
    }
    let last = -1;
    for (const local of postingsOf(index).units) {
      if (local !== last && dead[local] === 0) count++;
      last = local;
    }
  }
  return count;
}
