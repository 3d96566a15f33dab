/** Keeps the words of the collection with their vectors, from which queries are expanded. */
import type { Segment } from '../../core/indexes/segment.ts';
import { collectVocabulary } from '../../core/indexes/vocabulary.ts';
import { createVocabularyIndex, type VocabularyIndex } from '../../core/indexes/vocabulary-index.ts';
import type { Embedder } from '../../core/ports.ts';
import type { StateStore, VocabularyStore } from '../../core/storage.ts';
import type { Analyzer } from '../../core/text/analyzer.ts';
import type { SemanticIndex } from './semantic-index.ts';

/** Words embedded and written at once; stopping loses no more than these. */
const BATCH = 1024;

/** @param analyzers of the languages the words may be in. @default `AUTO_ANALYZER` alone */
export function createVocabulary(state: StateStore, store: VocabularyStore, analyzers?: readonly Analyzer[]) {
  let loaded: VocabularyIndex | undefined;

  function isCurrent(model: string, segments: readonly Segment[], words: number): boolean {
    return state.getState('vocabularySource') === madeOf(model, segments, words);
  }

  /** Drops words that are not among the most frequent; returns those that are. */
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
     * Embeds words that are new and drops those that are no longer among the most frequent; does nothing when the segments
     * are those of the last time.
     * @param segments of the document index, which holds each text once
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
        store.update(
          model,
          [],
          words.map((word, index) => ({ word, vector: vectors[index]! })),
        );
      }
      state.setState({ vocabularySource: madeOf(model, segments, wanted.length) });
      loaded = undefined;
    },
    /** Drops words that are not among the most frequent, without a model. */
    prune(model: string, segments: readonly Segment[]) {
      const known = store.words(model);
      if (known.size > 0 && !isCurrent(model, segments, known.size)) keepFrequent(model, segments, known);
    },
    /** The words by meaning, loaded on first use. */
    index({ embedder, scan }: Pick<SemanticIndex, 'embedder' | 'scan'>): VocabularyIndex {
      if (loaded) return loaded;
      const { model, dimensions } = embedder;
      const words = createVocabularyIndex({ dimensions, scan, ...(analyzers && { analyzers }) });
      for (const { word, vector } of store.read(model)) words.add(word, vector);
      loaded = words;
      return words;
    },
    /** Another process may have written. */
    forget() {
      loaded = undefined;
    },
  };
}

/** @param words their number, so that words that were lost are missed */
function madeOf(model: string, segments: readonly Segment[], words: number): string {
  return `${model} ${segments.map(identity).join(' ')} ${words}`;
}

/** Numbers of units are never given twice, so the first, the last and their count tell segments apart. */
function identity({ units }: Segment): string {
  return `${units[0]}-${units.at(-1)}:${units.length}`;
}
