/** Facts that a search needs before it loads the first fragment, and the type of the function that loads fragments. */
import { memoize } from '../text/memoize.ts';

/** Saved as JSON. */
export interface CollectionFacts {
  /** Number of passages of each document. */
  readonly passages: readonly number[];
  /** Sum of the lengths of each field, over all passages and over all documents. */
  readonly passageLengths: readonly number[];
  readonly documentLengths: readonly number[];
  /** First term of each dictionary fragment. */
  readonly starts: readonly string[];
  /** Number of documents that hold each stop word. So a query need not load the dictionary fragments of its stop words. */
  readonly stopWords: readonly (readonly [word: string, documents: number])[];
  /** First letter of the words in each spelling fragment. */
  readonly letters: readonly string[];
  /** Slots of passages that are not shown, because they have no visible text. */
  readonly hidden: readonly number[];
}

export type FragmentKind = 'words' | 'postings' | 'texts' | 'vectors' | 'spellings';

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

/** Keeps what was loaded. A failed load is tried again by the next call. */
export function loadOnce<T>(
  load: (number: number) => Promise<T>,
  known = new Map<number, Promise<T>>(),
): (number: number) => Promise<T> {
  return memoize((number: number) => {
    const loading = load(number);
    loading.catch(() => known.delete(number));
    return loading;
  }, known);
}
