/**
 * Cuts the postings of a frequent term into one block per range of documents. An extra block repeats the documents with the
 * highest scores.
 */
import { saturate } from '../indexes/bm25f.ts';
import { KEYWORD_FIELDS, RANKING } from '../model/ranking-constants.ts';
import { CONTENT, type DocumentPosting, HEADERS, type Occurrence } from './term-postings.ts';
import type { Block } from './words-fragment.ts';

export interface BlockSizes {
  /** A term with more bytes of postings is cut into blocks of this size. */
  readonly block: number;
  /** Bytes of the block with the best documents of a term. */
  readonly best: number;
}

/** Upper limits of scores are stored as whole numbers from 0 to this number. */
export const LIMIT_STEPS = 255;

export interface HeldBlock extends Omit<Block, 'file'> {
  readonly held: readonly DocumentPosting[];
}

/**
 * @param size bytes of all postings together
 * @param wanted bytes of a range, and of the block of the best documents
 * @param averages average length of each field of a passage
 */
export function cutBlocks(
  postings: readonly DocumentPosting[],
  size: number,
  wanted: BlockSizes,
  averages: readonly number[],
): readonly HeldBlock[] {
  const countOf = (bytes: number) => Math.ceil((postings.length * bytes) / size);
  const count = countOf(wanted.block);
  const limits = new Map(postings.map((posting) => [posting, limitOf(posting, averages)]));
  const limit = (posting: DocumentPosting) => limits.get(posting)!;
  const best = postings
    .toSorted((a, b) => limit(b) - limit(a) || a.document - b.document)
    .slice(0, countOf(wanted.best));
  const isBest = new Set(best);
  const ranges = Array.from({ length: Math.ceil(postings.length / count) }, (_, index) =>
    postings.slice(index * count, (index + 1) * count),
  );
  const inOrder = best.sort((a, b) => a.document - b.document);
  return [inOrder, ...ranges].map((held) => ({
    held,
    from: held[0]!.document,
    to: held.at(-1)!.document,
    most: Math.max(...held.map(limit)),
    rest: Math.max(0, ...held.filter((posting) => !isBest.has(posting)).map(limit)),
  }));
}

/** Returns the highest saturated frequency of the term in any passage of the document, as a whole number up to `LIMIT_STEPS`. */
function limitOf({ fields, passages }: DocumentPosting, averages: readonly number[]): number {
  const { fields: weights, k1, b } = RANKING.words;
  const weigh = (field: number, found: Occurrence | undefined) => {
    if (!found) return 0;
    const average = averages[field]!;
    const share = average > 0 ? found.length / average : 0;
    return (weights[KEYWORD_FIELDS[field]!] * found.frequency) / (1 - b + b * share);
  };
  const shared = fields.reduce((sum, each) => sum + weigh(each.field, each), 0);
  const own = passages.map(({ headers, content }) => weigh(HEADERS, headers) + weigh(CONTENT, content));
  const most = saturate(shared + Math.max(0, ...own), k1) / (k1 + 1);
  return Math.min(LIMIT_STEPS, Math.ceil(most * LIMIT_STEPS * (1 + 1e-9)));
}
