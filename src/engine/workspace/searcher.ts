/** Provides a search with the loaded indexes, the texts in the store, and the models. */
import type { SearchMode } from '../../core/model/query.ts';
import { expandCompounds } from '../../core/query/expand-compounds.ts';
import { MOVED } from '../../core/rank/confidence-model.ts';
import { createEmbeddedRetrieval } from '../../core/retrieval/embedded-retrieval.ts';
import type { Retrieval } from '../../core/retrieval/retrieval.ts';
import { keepPassageFacts, type PassageFacts } from '../../core/search/keep-passage-facts.ts';
import type { SearchServices } from '../../core/search/state.ts';
import type { Chosen } from './embedding-models.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { LoadedIndexes } from './loaded-indexes.ts';
import { awayFromPlain } from './question-centre.ts';
import type { Question } from './route-question.ts';
import { isEmbeddingUnavailable, wordsOnly } from './semantic-index.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export type Searcher = ReturnType<typeof createSearcher>;

export interface ChosenServices {
  readonly services: SearchServices;
  readonly role: Chosen['role'];
  /** Why a search finds words only. */
  readonly problem?: string;
}

export function createSearcher(parts: WorkspaceParts, loaded: Lifecycle) {
  const { store, analyzers } = parts;
  /** Facts are freed together with the indexes they describe. */
  const passageFacts = new WeakMap<LoadedIndexes, PassageFacts>();

  function factsOf(indexes: LoadedIndexes, retrieval: Retrieval): PassageFacts {
    const facts = passageFacts.get(indexes) ?? keepPassageFacts(retrieval);
    passageFacts.set(indexes, facts);
    return facts;
  }

  const factsOfFirst = () => {
    const { models, model, embedded, chunks } = loaded.facts();
    return models?.[0] ?? { model, embedded, of: chunks };
  };

  return {
    /** @param question decides which model answers. @default a question in English */
    async services(mode: SearchMode, question?: Question): Promise<ChosenServices> {
      const byWords = mode === 'keyword' || mode === 'code';
      const { models } = loaded;
      const chosen = byWords
        ? { model: models.first, role: 'first' as const, isEnglish: true }
        : await models.choose(question, factsOfFirst());
      const { role } = chosen;
      const indexes = loaded.indexes();
      const model = chosen.model.identity();
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
        const { reranker } = parts;
        // For a question in another language, the lexicon is left out: no word may be corrected to an English word.
        const lexicon = chosen.isEnglish && { lexicon: parts.lexicon };
        const query = { analyzers, expandCompounds, ...lexicon };
        const shared = { retrieval, passageFacts: factsOf(indexes, retrieval), model, ...query };
        return { ...shared, rerank: reranker.score, ...(thesaurus && { thesaurus }) };
      };
      if (byWords) return { services: words(), role };
      try {
        const semanticIndex = await chosen.model.semanticIndex();
        const { embedder, semantic } = semanticIndex;
        const retrieval = createEmbeddedRetrieval({ ...index, semantic, vectorOf: semantic.vectorOf });
        const embedPassage = async (text: string) => (await embedder.embedPassages([text]))[0]!;
        const embedQuery = async (text: string) => {
          const vector = await embedder.embedQuery(text);
          return chosen.isEnglish ? vector : awayFromPlain(store, model, vector);
        };
        const moved = !chosen.isEnglish && { model: `${model}${MOVED}` };
        const services = { ...words(), ...moved, retrieval, embedQuery, embedPassage };
        const isExpanded = parts.expandQueries && chosen.model === models.first;
        const vocabulary = isExpanded && loaded.vocabulary?.index(semanticIndex);
        return { services: { ...services, ...(vocabulary && { vocabulary }) }, role };
      } catch (error) {
        if (!isEmbeddingUnavailable(error) || mode === 'semantic') throw error;
        return { services: words(), role, problem: wordsOnly(error) };
      }
    },
  };
}
