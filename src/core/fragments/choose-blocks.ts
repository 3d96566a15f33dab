/**
 * Chooses which blocks of postings of frequent words a query still needs. Each block stores an upper limit of what its word can
 * add to a score. If no missing posting can change the first passages, no more blocks are needed. (The idea of WAND: Broder and
 * others 2003, "Efficient query evaluation using a two-level retrieval process".)
 */
import type { LoadedTerm } from './query-words.ts';
import { LIMIT_STEPS } from './words-fragment.ts';

/** A word whose postings are not all loaded. */
export interface OpenWord {
  readonly term: LoadedTerm;
  /** The highest score that the word can give: count · weight · idf · (k1 + 1). */
  readonly factor: number;
}

export interface Reached {
  /** Best score of a passage of each document, so far. */
  readonly scores: Float64Array;
  /** Score of the last passage whose rank must be final. A document that cannot reach it needs no postings. */
  readonly needed: number;
  /** Best score so far, including passages that are not allowed; ranking divides scores by it. */
  readonly best: number;
  readonly isAllowed: (document: number) => boolean;
  /** Documents whose postings are always loaded: those nearest in meaning. */
  readonly wanted: ReadonlySet<number>;
}

interface Contender {
  readonly document: number;
  /** Upper limit of the score of the document; infinite for a document in `Reached.wanted`. */
  readonly most: number;
}

/** Maximum number of documents for which blocks are loaded in one round. */
const CONTENDERS = 10;

/** If more blocks of a term than this are wanted at once, block 0 is loaded first: it has the best documents of the term. */
const RANGES = 6;

/**
 * Returns for each word the indexes of the blocks to load next; empty if no missing posting can change the first passages.
 * @param all whether to return blocks for all documents that may be among the first. If false, only for the likeliest ones.
 * @default false
 */
export function chooseBlocks(
  words: readonly OpenWord[],
  { scores, needed, best, isAllowed, wanted: always }: Reached,
  all = false,
): ReadonlyMap<LoadedTerm, readonly number[]> {
  const open = words.map(({ term, factor }) => ({ term, missingAt: missingRanges(term), factor }));
  const contenders: Contender[] = [];
  for (let document = 0; document < scores.length; document++) {
    let more = 0;
    for (const { term, missingAt, factor } of open) {
      const range = missingAt(document);
      if (range) more += (factor * (term.missing[0] === 0 ? range.most : range.rest)) / LIMIT_STEPS;
    }
    const most = always.has(document) ? Number.POSITIVE_INFINITY : scores[document]! + more;
    const least = isAllowed(document) ? needed : best;
    if (more > 0 && most * (1 + 1e-9) >= least) contenders.push({ document, most });
  }
  contenders.sort((a, b) => b.most - a.most || a.document - b.document);
  const chosen = all ? contenders : contenders.slice(0, CONTENDERS);
  const wanted = open.map(({ term, missingAt }): readonly [LoadedTerm, readonly number[]] => {
    const missing = chosen.filter(({ document }) => missingAt(document));
    const isBegun = ({ document }: Contender) => scores[document]! > 0 || always.has(document);
    const known = all || term.missing[0] !== 0 ? missing : missing.filter(isBegun);
    const places = [...new Set(known.map(({ document }) => missingAt(document)!.place))];
    if (known === missing || (known.length === missing.length && places.length <= RANGES))
      return [term, places];
    // Some documents have no score yet, or too many blocks are wanted: load block 0 first.
    return [term, places.length > RANGES ? [0] : [0, ...places]];
  });
  return new Map(wanted.filter(([, places]) => places.length > 0));
}

/** Makes a function that returns the range that may hold a document; undefined if the document or the range is already loaded. */
function missingRanges({ blocks, missing, loaded }: LoadedTerm) {
  const known = new Set(loaded.map(({ document }) => document));
  const ranges = missing.filter((place) => place > 0).map((place) => ({ place, ...blocks[place]! }));
  let next = 0;
  // `document` mostly rises from call to call, so start at the range that was found last.
  return (document: number) => {
    if (known.has(document)) return undefined;
    if (ranges[next] === undefined || document < ranges[next]!.from) next = 0;
    while (ranges[next] !== undefined && ranges[next]!.to < document) next++;
    const range = ranges[next];
    return range && range.from <= document ? range : undefined;
  };
}
