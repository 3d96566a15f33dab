/** Keeps the most frequent words of the documents with their vectors, for query expansion. */
import type { Segment } from '../../core/indexes/segment.ts';
import {
  collectVocabulary,
  createVocabularyIndex,
  type VocabularyIndex,
} from '../../core/indexes/vocabulary.ts';
import type { Embedder } from '../../core/ports.ts';
import type { StateStore, VocabularyStore } from '../../core/storage.ts';
import type { Analyzer } from '../../core/text/analyzer.ts';
import type { SemanticIndex } from './semantic-index.ts';

/** Number of words embedded and saved together. A stop loses at most this many. */
const BATCH = 1024;

/** @param analyzers analyzers of the languages of the documents. @default `AUTO_ANALYZER` only */
export function createVocabulary(state: StateStore, store: VocabularyStore, analyzers?: readonly Analyzer[]) {
  let loaded: VocabularyIndex | undefined;

  function isCurrent(model: string, segments: readonly Segment[], words: number): boolean {
    return state.getState('vocabularySource') === madeOf(model, segments, words);
  }

  /** Drops saved words that are not among the most frequent words. Returns the most frequent words. */
  function keepFrequent(
    model: string,
    segments: readonly Segment[],
    known: ReadonlySet<string>,
  ): readonly string[] {
    const wanted = collectVocabulary(segments, undefined, analyzers);
    store.update(model, known.difference(new Set(wanted)), []);
    loaded = undefined;
    return wanted;
  }

  return {
    /**
     * Embeds new frequent words and drops words that have become rare. Does nothing if the segments are unchanged since the last
     * update.
     * @param segments segments of the document index, which holds each text once
     */
    async update(embedder: Embedder, segments: readonly Segment[], signal?: AbortSignal) {
      const { model } = embedder;
      const known = store.words(model);
      if (isCurrent(model, segments, known.size)) return;
      const wanted = keepFrequent(model, segments, known);
      const fresh = wanted.filter((word) => !known.has(word));
      for (let start = 0; start < fresh.length; start += BATCH) {
        const words = fresh.slice(start, start + BATCH);
        const vectors = await embedder.embedPassages(words, signal);
        const added = words.map((word, index) => ({ word, vector: vectors[index]! }));
        store.update(model, [], added);
      }
      state.setState({ vocabularySource: madeOf(model, segments, wanted.length) });
      loaded = undefined;
    },
    /** Drops words that are not among the most frequent words. Does not load the embedding model. @param model its identity */
    prune(model: string, readSegments: () => readonly Segment[]) {
      const known = store.words(model);
      if (known.size === 0) return;
      const segments = readSegments();
      if (!isCurrent(model, segments, known.size)) keepFrequent(model, segments, known);
    },
    /** Returns the words with their vectors as a semantic index, loaded at the first use. */
    index({ embedder }: Pick<SemanticIndex, 'embedder'>): VocabularyIndex {
      if (loaded) return loaded;
      const { model, dimensions } = embedder;
      const words = createVocabularyIndex(dimensions, analyzers);
      for (const { word, packed } of store.read(model)) words.add(word, packed);
      loaded = words;
      return words;
    },
    /** Unloads the words, because another process may have changed them. */
    forget() {
      loaded = undefined;
    },
  };
}

/** Describes what a vocabulary was made of. @param words number of saved words, so that a lost word is noticed */
function madeOf(model: string, segments: readonly Segment[], words: number): string {
  return `${model} ${segments.map(identity).join(' ')} ${words}`;
}

/** Identifies a segment by its first unit, last unit and number of units: unit numbers are never reused. */
function identity({ units }: Segment): string {
  return `${units[0]}-${units.at(-1)}:${units.length}`;
}
