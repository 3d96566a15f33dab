/** Divides the passages of one call into groups for threads, longest first, and collects the vectors in the order of the call. */

export interface PassageJob {
  /** Number of texts that `take` has not returned yet; 0 after a failure. */
  readonly waiting: number;
  /** Resolves when the vectors of all groups are there; rejects at the first failure. */
  readonly vectors: Promise<readonly Float32Array[]>;
  /** Returns the next group for a thread. @param workers number of threads that share the texts */
  take(workers: number): PassageGroup;
  /** Receives the vectors of a group, concatenated in one array. */
  put(members: readonly number[], vectors: Float32Array<ArrayBuffer>): void;
  fail(error: Error): void;
}

export interface PassageGroup {
  /** Positions of the texts in the call. */
  readonly members: readonly number[];
  readonly texts: readonly string[];
}

/** Size of a group: about one to eight batches of English text. In characters, because only the threads count tokens. */
const MIN_CHARACTERS = 2_000;
const MAX_CHARACTERS = 16_000;

/**
 * Groups become smaller towards the end, so all threads finish at about the same time (guided self-scheduling, Polychronopoulos
 * and Kuck 1987). The texts of a group have similar lengths, so their batches need little padding.
 */
export function createPassageJob(texts: readonly string[]): PassageJob {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
  const order = texts.map((_, index) => index).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
  const vectors: Float32Array[] = new Array(texts.length);
  let characters = texts.reduce((sum, text) => sum + text.length, 0);
  let next = 0;
  let missing = texts.length;
  if (missing === 0) resolve([]);

  return {
    get waiting() {
      return order.length - next;
    },
    vectors: promise,
    take(workers) {
      const share = characters / (2 * workers);
      const limit = Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, share));
      const start = next;
      let taken = 0;
      // `+ 1`: an empty text has special tokens, which take time, too.
      while (next < order.length && (next === start || taken < limit)) {
        taken += texts[order[next]!]!.length + 1;
        next += 1;
      }
      characters -= taken;
      const members = order.slice(start, next);
      return { members, texts: members.map((index) => texts[index]!) };
    },
    put(members, flat) {
      const dimensions = flat.length / members.length;
      members.forEach((index, row) => {
        // A copy, because a view would keep the vectors of the whole group in memory.
        vectors[index] = flat.slice(row * dimensions, (row + 1) * dimensions);
      });
      missing -= members.length;
      if (missing === 0) resolve(vectors);
    },
    fail(error) {
      next = order.length;
      reject(error);
    },
  };
}
