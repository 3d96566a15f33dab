/** What a search works with where the index is in Qdrant: nothing is kept here but the models. */
import { loadAnalyzers } from '../../adapters/languages/load-analyzers.ts';
import { connectQdrant, notPublished, type QdrantPlace } from '../../adapters/qdrant/client.ts';
import { readState, requireReadable } from '../../adapters/qdrant/read-state.ts';
import { createQdrantRetrieval } from '../../adapters/qdrant/retrieval.ts';
import type { PublishedState } from '../../adapters/qdrant/schema.ts';
import { DocfuseError } from '../../core/errors.ts';
import { createCatalog } from '../../core/indexes/catalog.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Embedder, Lexicon, Reranker, Thesaurus } from '../../core/ports.ts';
import { keepPassageFacts } from '../../core/search/keep-passage-facts.ts';
import type { SearchServices } from '../../core/search/state.ts';
import type { IndexFacts } from '../api.ts';
import { createLazyResource } from '../lazy-resource.ts';
import { isEmbeddingUnavailable, wordsOnly } from '../workspace/semantic-index.ts';

interface PublishedParts {
  readonly place: QdrantPlace;
  readonly model: { readonly open: () => Promise<Embedder> };
  readonly reranker: Reranker;
  readonly lexicon: Lexicon;
  readonly openThesaurus?: () => Thesaurus;
}

export type Published = Awaited<ReturnType<ReturnType<typeof createPublished>['current']>>;

export function createPublished(parts: PublishedParts) {
  const { place, reranker, lexicon } = parts;
  const connection = connectQdrant(place);
  connection.catch(() => {});
  const embedder = createLazyResource(parts.model.open);
  let thesaurus: Thesaurus | undefined;
  let known: Awaited<ReturnType<typeof openGeneration>> | undefined;

  async function openGeneration(state: PublishedState) {
    const analyzers = await loadAnalyzers(state.collections);
    const retrieval = createQdrantRetrieval(await connection, state, analyzers);
    const passageFacts = keepPassageFacts(retrieval);
    thesaurus ??= parts.openThesaurus?.();
    const words = { retrieval, passageFacts, model: state.model, analyzers, lexicon, rerank: reranker.score };
    return {
      state,
      analyzers,
      words: { ...words, ...(thesaurus && { thesaurus }) } satisfies SearchServices,
    };
  }

  /** Opens the model. @throws DocfuseError `config` if another model made the published vectors */
  async function embedderFor({ model, dimensions }: PublishedState): Promise<Embedder> {
    const opened = await embedder.get();
    if (opened.model === model && opened.dimensions === dimensions) return opened;
    throw new DocfuseError(
      'config',
      `The vectors of ${place.name} were made by ${model} (${dimensions} numbers), but the settings name ${opened.model} (${opened.dimensions} numbers).`,
      'Set the embedding.model of the machine that publishes here too.',
    );
  }

  return {
    embedderFor,
    /** Returns what is published now. @throws DocfuseError `index_missing`, `index_newer`, `remote` */
    async current() {
      const state = await readState(await connection);
      if (!state) throw notPublished(place);
      requireReadable(state, place);
      const { collection, generation } = known?.state ?? {};
      if (!known || state.collection !== collection || state.generation !== generation)
        known = await openGeneration(state);
      const { analyzers, words } = known;
      return {
        state,
        analyzers,
        facts: () => factsOf(state),
        // Filters are answered by Qdrant: no list of documents is kept here.
        catalog: createCatalog,
        async services(mode: SearchMode): Promise<{
          readonly services: SearchServices;
          readonly role: 'first';
          readonly problem?: string;
        }> {
          const role = 'first';
          if (mode === 'keyword' || mode === 'code' || (mode === 'hybrid' && state.dimensions === 0))
            return { services: words, role };
          try {
            const { embedQuery, embedPassages } = await embedderFor(state);
            const embedPassage = async (text: string) => (await embedPassages([text]))[0]!;
            return { services: { ...words, embedQuery, embedPassage }, role };
          } catch (error) {
            if (!isEmbeddingUnavailable(error) || mode === 'semantic') throw error;
            return { services: words, role, problem: wordsOnly(error) };
          }
        },
      };
    },
    async close() {
      thesaurus?.close();
      await Promise.all([embedder.close(), reranker.close()]);
    },
  };
}

export function factsOf(state: PublishedState): IndexFacts {
  const { documents, passages, embedded, model, updated } = state;
  const facts = { documents: documents.count, chunks: passages.count, embedded, model };
  return { ...facts, stale: embedded < passages.count, ...(updated !== undefined && { updated }) };
}
