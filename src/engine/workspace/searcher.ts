/** Provides a search with the loaded indexes, the texts in the store, and the models. */
import type { SearchMode } from '../../core/model/query.ts';
import { createEmbeddedRetrieval } from '../../core/retrieval/embedded-retrieval.ts';
import type { Retrieval } from '../../core/retrieval/retrieval.ts';
import { keepPassageFacts, type PassageFacts } from '../../core/search/keep-passage-facts.ts';
import type { SearchServices } from '../../core/search/state.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { LoadedIndexes } from './loaded-indexes.ts';
import { isEmbeddingUnavailable, wordsOnly } from './semantic-index.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export type Searcher = ReturnType<typeof createSearcher>;

export function createSearcher(parts: WorkspaceParts, loaded: Lifecycle) {
  const { store, analyzers } = parts;
  /** Facts are freed together with the indexes they describe. */
  const passageFacts = new WeakMap<LoadedIndexes, PassageFacts>();

  function factsOf(indexes: LoadedIndexes, retrieval: Retrieval): PassageFacts {
    const facts = passageFacts.get(indexes) ?? keepPassageFacts(retrieval);
    passageFacts.set(indexes, facts);
    return facts;
  }

  return {
    async services(
      mode: SearchMode,
    ): Promise<{ readonly services: SearchServices; readonly problem?: string }> {
      const indexes = loaded.indexes();
      const model = loaded.currentModel();
      const links = loaded.links();
      const thesaurus = loaded.thesaurus();
      const index = {
        ...indexes,
        analyzers,
        readChunks: store.chunks,
        readTexts: store.texts,
        readParents: store.parents,
        vectorOf: (slot: number) => store.vector(model, slot),
        links: links.edges,
        communityOf: links.communityOf,
      };
      const words = (): SearchServices => {
        const retrieval = createEmbeddedRetrieval(index);
        const { lexicon, reranker } = parts;
        const shared = { retrieval, passageFacts: factsOf(indexes, retrieval), model, analyzers, lexicon };
        return { ...shared, rerank: reranker.score, ...(thesaurus && { thesaurus }) };
      };
      if (mode === 'keyword' || mode === 'code') return { services: words() };
      try {
        const semanticIndex = await loaded.semanticIndex();
        const { embedder, semantic, vectorOf } = semanticIndex;
        const retrieval = createEmbeddedRetrieval({ ...index, semantic, vectorOf });
        const embedPassage = async (text: string) => (await embedder.embedPassages([text]))[0]!;
        const services = { ...words(), retrieval, embedQuery: embedder.embedQuery, embedPassage };
        const vocabulary = parts.expandQueries && loaded.vocabulary?.index(semanticIndex);
        return { services: { ...services, ...(vocabulary && { vocabulary }) } };
      } catch (error) {
        if (!isEmbeddingUnavailable(error) || mode === 'semantic') throw error;
        return { services: words(), problem: wordsOnly(error) };
      }
    },
  };
}
