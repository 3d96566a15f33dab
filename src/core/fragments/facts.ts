/** Facts that a search needs before it loads the first fragment, and the port that loads fragments. */
import { createReader, createWriter } from './bytes.ts';

export interface CollectionFacts {
  /** Number of passages of each document. */
  readonly passages: readonly number[];
  /** Sum of the lengths of each field, over all passages and over all documents. */
  readonly passageLengths: readonly number[];
  readonly documentLengths: readonly number[];
  /** First term of each dictionary fragment. */
  readonly starts: readonly string[];
  /** Number of documents that hold each stop word; a query may have many, so their dictionary fragments are not loaded. */
  readonly stopWords: ReadonlyMap<string, number>;
  /** First letter of the words in each spelling fragment. */
  readonly letters: readonly string[];
  /** Slots of passages that are not shown, because they have no visible text. */
  readonly hidden: readonly number[];
}

export const FRAGMENT_KINDS = ['words', 'postings', 'texts', 'vectors', 'spellings'] as const;
export type FragmentKind = (typeof FRAGMENT_KINDS)[number];

export interface Fragment {
  readonly kind: FragmentKind;
  readonly number: number;
  /** Not compressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly progress?: CutProgress;
}

/** `done` and `total` count documents in the phase `map`, different words in `words`, and passages in `texts`. */
export interface CutProgress {
  readonly phase: 'map' | 'words' | 'texts';
  readonly done: number;
  readonly total: number;
}

/** Loads a fragment, decompressed. Files of a kind are numbered from 0. */
export type LoadFragment = (kind: FragmentKind, number: number) => Promise<Uint8Array<ArrayBuffer>>;

export function encodeFacts(facts: CollectionFacts): Uint8Array<ArrayBuffer> {
  const to = createWriter();
  for (const list of [facts.passages, facts.passageLengths, facts.documentLengths, facts.hidden]) {
    to.number(list.length);
    for (const each of list) to.number(each);
  }
  for (const texts of [facts.starts, facts.letters]) {
    to.number(texts.length);
    for (const each of texts) to.text(each);
  }
  to.number(facts.stopWords.size);
  for (const [term, documents] of facts.stopWords) {
    to.text(term);
    to.number(documents);
  }
  return to.bytes();
}

export function decodeFacts(bytes: Uint8Array<ArrayBuffer>): CollectionFacts {
  const from = createReader(bytes);
  const list = () => Array.from({ length: from.number() }, from.number);
  const texts = () => Array.from({ length: from.number() }, from.text);
  const [passages, passageLengths, documentLengths, hidden] = [list(), list(), list(), list()];
  const [starts, letters] = [texts(), texts()];
  const stopWords = new Map(Array.from({ length: from.number() }, () => [from.text(), from.number()]));
  return { passages, passageLengths, documentLengths, hidden, starts, letters, stopWords };
}
