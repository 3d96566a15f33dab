/** Embeds texts one batch after another: a batch holds the texts that arrived while the batch before it ran. */

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** Max texts per batch. Larger batches take no less time per text, and the first text would wait longer. */
const MAX_TEXTS = 8;

/** Makes a function that returns the vector of a text. If `embed` rejects, all texts of its batch reject with this error. */
export function createTextBatches(embed: Embed): (text: string) => Promise<Float32Array> {
  const waiting: (PromiseWithResolvers<Float32Array> & { readonly text: string })[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_TEXTS);
      try {
        const vectors = await embed(batch.map(({ text }) => text));
        for (const [index, { resolve }] of batch.entries()) resolve(vectors[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (text) => {
    const vector = Promise.withResolvers<Float32Array>();
    waiting.push({ ...vector, text });
    if (!isRunning) void run();
    return vector.promise;
  };
}

/** Texts of different lengths, from none to as many words as a long question. */
const PROBES = [0, 1, 3, 7, 15, 40].map((words) => 'tide '.repeat(words));

/**
 * Whether the model computes the same vectors in a batch as alone, to the last bit. Many models do not: their sums depend on
 * padding, or they quantize all texts of a batch together.
 */
export async function isBatchable(embed: Embed): Promise<boolean> {
  const together = await embed(PROBES);
  for (const [index, text] of PROBES.entries()) {
    const [alone] = await embed([text]);
    if (alone!.some((component, at) => component !== together[index]![at])) return false;
  }
  return true;
}
