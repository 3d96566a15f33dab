/** Makes the inputs of a BERT-like model: small batches of texts with similar length, and token rows padded to equal length. */

export type Runtime = typeof import('onnxruntime-node');
export type Session = Awaited<ReturnType<Runtime['InferenceSession']['create']>>;

/** Max padded tokens per batch. Small batches are faster: they have less padding, and their data fits into a core's caches. */
const TOKENS_PER_BATCH = 512;

/**
 * Groups texts into batches, longest text first.
 * @param lengths number of tokens of each text, 1 or more
 * @param budget maximum padded tokens per batch; a longer text gets a batch with no other text
 * @returns the positions of the texts of each batch
 */
export function packBatches(
  lengths: readonly number[],
  budget = TOKENS_PER_BATCH,
): readonly (readonly number[])[] {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const batches: number[][] = [];
  for (let start = 0; start < order.length; ) {
    const longest = lengths[order[start]!]!;
    const size = Math.max(1, Math.floor(budget / longest));
    batches.push(order.slice(start, start + size));
    start += size;
  }
  return batches;
}

/** The tokens of one input: a text, or a pair of texts. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** For each token, a number that tells the model which text of a pair contains the token. @default all 0 */
  readonly types?: readonly number[];
}

export const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];

/**
 * Makes tensors for one run, only for inputs that the model declares.
 * @param rows longest first: the first row determines the width of the tensors
 */
export function createFeeds(
  runtime: Pick<Runtime, 'Tensor'>,
  session: Session,
  rows: readonly TokenRow[],
  padId: number,
) {
  const width = rows[0]!.ids.length;
  const size = rows.length * width;
  const ids = new BigInt64Array(size).fill(BigInt(padId));
  const attention = new BigInt64Array(size);
  const types = new BigInt64Array(size);
  rows.forEach((row, index) => {
    const start = index * width;
    for (let i = 0; i < row.ids.length; i += 1) ids[start + i] = BigInt(row.ids[i]!);
    for (let i = 0; i < (row.types?.length ?? 0); i += 1) types[start + i] = BigInt(row.types![i]!);
    attention.fill(1n, start, start + row.ids.length);
  });
  const values = [ids, attention, types];
  const tensors = INPUTS.map(
    (name, i) => [name, new runtime.Tensor('int64', values[i]!, [rows.length, width])] as const,
  );
  return Object.fromEntries(tensors.filter(([name]) => session.inputNames.includes(name)));
}
