/** A fragment of the dictionary: consecutive terms, each with its postings or with the numbers of the files that hold them. */
import { createReader, createWriter } from './bytes.ts';

/** Upper limits of scores are stored as whole numbers from 0 to this number. */
export const LIMIT_STEPS = 255;

/** A part of the postings of a frequent term, in a separate file. */
export interface Block {
  readonly file: number;
  /** First and last document that the block may hold. */
  readonly from: number;
  readonly to: number;
  /** Upper limit of the saturated frequency of the term in a passage of the block, in steps of `(k1 + 1) / LIMIT_STEPS`. */
  readonly most: number;
  /** The same limit without the documents that are also in the first block. */
  readonly rest: number;
}

export interface Term {
  readonly term: string;
  /** Number of passages and of documents that hold the term. */
  readonly passages: number;
  readonly documents: number;
  /** All postings, encoded; absent if they are in `blocks`. */
  readonly postings?: Uint8Array<ArrayBuffer>;
  /**
   * The first block has the documents with the highest scores for the term. The other blocks have all documents in order, cut into
   * ranges. There are no blocks if `postings` has all postings.
   */
  readonly blocks: readonly Block[];
}

/** @param terms in ascending order */
export function encodeWords(terms: readonly Term[]): Uint8Array<ArrayBuffer> {
  const to = createWriter();
  let before = '';
  to.number(terms.length);
  for (const { term, passages, documents, blocks } of terms) {
    to.after(before, term);
    before = term;
    for (const each of [passages, documents, blocks.length]) to.number(each);
    for (const { file, from, to: last, most, rest } of blocks)
      for (const each of [file, from, last, most, rest]) to.number(each);
  }
  for (const { postings } of terms) if (postings) to.block(postings);
  return to.bytes();
}

export function decodeWords(bytes: Uint8Array<ArrayBuffer>): readonly Term[] {
  const from = createReader(bytes);
  let term = '';
  const terms = Array.from({ length: from.number() }, (): Term => {
    term = from.after(term);
    const [passages, documents] = [from.number(), from.number()];
    const blocks = Array.from({ length: from.number() }, () => ({
      file: from.number(),
      from: from.number(),
      to: from.number(),
      most: from.number(),
      rest: from.number(),
    }));
    return { term, passages, documents, blocks };
  });
  return terms.map((each) => (each.blocks.length === 0 ? { ...each, postings: from.block() } : each));
}
