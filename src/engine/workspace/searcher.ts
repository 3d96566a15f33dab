/** Gives a search what it works with: the indexes in memory, the store for texts, and the models. */
import type { Thesaurus } from '../../core/ports.ts';
import type { Lifecycle } from './lifecycle.ts';
import { isMeaningAway, wordsOnly } from './meaning.ts';
import type { IndexSearcher, WorkspaceParts } from './workspace.ts';

export function createSearcher(
  parts: WorkspaceParts,
  loaded: Lifecycle,
): IndexSearcher & { readonly closeSearcher: () => void } {
  const { store, analyzers } = parts;
  let thesaurus: Thesaurus | undefined;
  return {
    async services(mode) {
      const { catalog, keyword, code, documents, passageFacts } = loaded.memory();
      const model = loaded.currentModel();
      const links = loaded.links();
      thesaurus ??= parts.openThesaurus?.();
      const words = {
        catalog,
        keyword,
        model,
        code,
        documents,
        analyzers,
        readChunks: store.chunks,
        rerank: parts.reranker.score,
        readTexts: store.texts,
        ...passageFacts,
        readParents: store.parents,
        vectorOf: (slot: number) => store.vector(model, slot),
        links: links.edges,
        communityOf: links.communityOf,
        lexicon: parts.lexicon,
        ...(thesaurus && { thesaurus }),
      };
      if (mode === 'keyword' || mode === 'code') return { services: words };
      try {
        const meaning = await loaded.meaning();
        const { embedder, semantic, vectorOf } = meaning;
        const embedQuery = embedder.embedQuery;
        const embedPassage = async (text: string) => (await embedder.embedPassages([text]))[0]!;
        const services = { ...words, semantic, vectorOf, embedQuery, embedPassage };
        const { vocabulary } = loaded;
        return { services: vocabulary ? { ...services, vocabulary: vocabulary.index(meaning) } : services };
      } catch (error) {
        if (!isMeaningAway(error) || mode === 'semantic') throw error;
        return { services: words, problem: wordsOnly(error) };
      }
    },
    closeSearcher: () => thesaurus?.close(),
  };
}
