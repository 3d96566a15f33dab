/** The passages of one call: given to threads in groups, longest first; their vectors are returned in the order of the call. */

export interface PassageJob {
  /** Number of texts not given to a thread yet; 0 after a failure. */
  readonly waiting: number;
  /** Settles when the last group is back, or at the first failure. */
  readonly vectors: Promise<readonly Float32Array[]>;
  /** Hands out the next group for one of `workers` threads. */
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

/** About one batch and eight batches of English; counted in characters, because only the threads count tokens. */
const MIN_CHARACTERS = 2_000;
const MAX_CHARACTERS = 16_000;

/**
 * Groups shrink towards the end, so that all threads finish together (guided self-scheduling, Polychronopoulos and Kuck 1987),
 * and hold texts of like length, so that they pack into batches without padding.
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
      // An empty text still costs its special tokens.
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
        // A copy, so that keeping one vector does not keep its whole group in memory.
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
