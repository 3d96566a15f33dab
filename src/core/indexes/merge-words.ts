/** Merges sorted words. Copies runs of words that stay neighbours, and makes no string of a single word. */
import type { Steps } from '../steps.ts';
import { compareWords, type Dictionary } from './dictionary.ts';

/** Number of words that are merged in one step. */
const STEP = 1024;

export interface WordSource {
  readonly words: Dictionary;
  /** Indexes of the words to merge, ascending. */
  readonly indexes: ArrayLike<number>;
  /** By index of a word: its rank among equal words. A source has each pair of word and rank once. @default all equal */
  readonly ranks?: ArrayLike<number>;
}

/**
 * Visits the words of all sources in ascending order, then by rank.
 * @param visit `isNew` is false if word and rank equal those of the visit before
 */
export function* mergeWords(
  sources: readonly WordSource[],
  visit: (source: number, index: number, isNew: boolean) => void,
): Steps<void> {
  const at = new Uint32Array(sources.length);
  function compare(a: number, i: number, b: number, j: number): number {
    const [one, other] = [sources[a]!, sources[b]!];
    const order = compareWords(one.words, i, other.words, j);
    return order !== 0 || !one.ranks || !other.ranks ? order : one.ranks[i]! - other.ranks[j]!;
  }

  let [last, lastIndex] = [-1, 0];
  for (let visited = 1; ; visited++) {
    let [best, bestIndex] = [-1, 0];
    for (let source = 0; source < sources.length; source++) {
      const { indexes } = sources[source]!;
      if (at[source]! === indexes.length) continue;
      const index = indexes[at[source]!]!;
      if (best < 0 || compare(source, index, best, bestIndex) < 0) [best, bestIndex] = [source, index];
    }
    if (best < 0) return;
    at[best]!++;
    const isNew = last < 0 || last === best || compare(last, lastIndex, best, bestIndex) !== 0;
    visit(best, bestIndex, isNew);
    [last, lastIndex] = [best, bestIndex];
    if (visited % STEP === 0) yield;
  }
}

export function createWordPacker(dictionaries: readonly Dictionary[]) {
  const runs: string[] = [];
  const starts = [0];
  let length = 0;
  /** The run that is not in `runs` yet: its dictionary, the index after its last word, and where its text starts. */
  let run = { dictionary: undefined as Dictionary | undefined, end: 0, from: 0 };

  function endRun(): void {
    const { dictionary, end, from } = run;
    if (dictionary) runs.push(dictionary.text.slice(from, dictionary.starts[end]));
  }

  return {
    /** Adds a word that does not sort before the words added already. */
    add(source: number, index: number): void {
      const dictionary = dictionaries[source]!;
      const start = dictionary.starts[index]!;
      if (dictionary !== run.dictionary || index !== run.end) {
        endRun();
        run = { dictionary, end: index, from: start };
      }
      run.end = index + 1;
      length += dictionary.starts[index + 1]! - start;
      starts.push(length);
    },
    /** Call once, after the last word. */
    pack(): Dictionary {
      endRun();
      return { text: runs.join(''), starts: Uint32Array.from(starts) };
    },
  };
}
