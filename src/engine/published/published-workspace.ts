/** Provides a search with an index on a server, and with the models on this machine. */
import { loadAnalyzers } from '../../adapters/languages/load-analyzers.ts';
import type { PublishedEngine, ShownState } from '../../adapters/published/engine.ts';
import { type PublishedState, shortDigest } from '../../adapters/published/format.ts';
import { requireReadable } from '../../adapters/published/publish.ts';
import { createPublishedRetrieval } from '../../adapters/published/retrieval.ts';
import { readWordList, type WordList } from '../../adapters/published/word-list.ts';
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Embedder, Thesaurus } from '../../core/ports.ts';
import { expandCompounds } from '../../core/query/expand-compounds.ts';
import { keepPassageFacts } from '../../core/search/keep-passage-facts.ts';
import type { SearchServices } from '../../core/search/state.ts';
import type { IndexFacts } from '../api.ts';
import { describeLimits } from '../search/describe-limits.ts';
import { createLazyResource } from '../tasks.ts';
import type { ChosenServices } from '../workspace/searcher.ts';
import { isEmbeddingUnavailable, wordsOnly } from '../workspace/semantic-index.ts';
import type { NamedModel, WorkspaceParts } from '../workspace/workspace-parts.ts';
import { createPublishedDocuments } from './published-documents.ts';

interface PublishedParts extends Pick<WorkspaceParts, 'reranker' | 'lexicon' | 'openThesaurus'> {
  readonly address: string;
  readonly openEngine: () => Promise<PublishedEngine>;
  readonly model: Pick<NamedModel, 'open'>;
  /** This model is tried before `model`: a publisher that uses both publishes the vectors of the multilingual one. */
  readonly multilingual?: PublishedParts['model'] | undefined;
}

const ELSEWHERE = 'The map and exports are made only on the machine that publishes.';

export type Published = Awaited<ReturnType<ReturnType<typeof createPublished>['current']>>;

export function createPublished(parts: PublishedParts) {
  const { address, reranker, lexicon } = parts;
  const engine = createLazyResource(parts.openEngine);
  const embedders = [parts.multilingual, parts.model].flatMap((named) =>
    named ? [createLazyResource(named.open)] : [],
  );
  const documentsOf = createPublishedDocuments();
  let thesaurus: Thesaurus | undefined;
  let known: Awaited<ReturnType<typeof openGeneration>> | undefined;

  async function openGeneration(opened: PublishedEngine, state: PublishedState) {
    const analyzers = await loadAnalyzers(state.collections);
    const reader = opened.reader(state);
    const { digest, place } = state.words;
    const before = known?.state.words.digest === digest ? known.list : undefined;
    const packed = before ? undefined : await reader.words(place);
    // If the list is missing or another, a later publication has replaced it.
    if (!before && (!packed || shortDigest(packed) !== digest)) throw opened.missing();
    const list: WordList = before ?? readWordList(packed!);
    const retrieval = createPublishedRetrieval(reader, state, list, analyzers);
    const passageFacts = keepPassageFacts(retrieval);
    thesaurus ??= parts.openThesaurus?.();
    const query = { analyzers, lexicon, expandCompounds, ...(thesaurus && { thesaurus }) };
    const passages = { retrieval, passageFacts, model: state.model, rerank: reranker.score };
    const words: SearchServices = { ...passages, ...query };
    return { state, analyzers, list, reader, words };
  }

  /** Opens the model that made the published vectors. @throws DocfuseError `config` if the settings do not name it */
  async function embedderFor({ model, dimensions }: PublishedState): Promise<Embedder> {
    const named: string[] = [];
    for (const { get } of embedders) {
      const opened = await get();
      if (opened.model === model && opened.dimensions === dimensions) return opened;
      named.push(`${opened.model} (${opened.dimensions} numbers)`);
    }
    throw new DocfuseError(
      'config',
      `The vectors of ${(await engine.get()).title} were made by ${model} (${dimensions} numbers), but the settings name ${named.join(' and ')}.`,
      'Set embedding.model or embedding.multilingual_model to this model, as on the machine that publishes.',
    );
  }

  return {
    embedderFor,
    /** Returns the current publication, ready for searches. @throws DocfuseError `index_missing`, `index_newer`, `remote` */
    async current() {
      const opened = await engine.get();
      const state = await opened.state();
      if (!state) throw opened.missing();
      requireReadable(state, opened);
      const { edition, generation } = known?.state ?? {};
      if (!known || state.edition !== edition || state.generation !== generation)
        known = await openGeneration(opened, state);
      const { analyzers, words, reader } = known;
      const facts = () => factsOf(state);
      /** Opens the documents. Their passages are read for each answer. */
      const documents = () =>
        documentsOf({ reader, retrieval: words.retrieval, state, address, facts: facts() });
      return {
        state,
        analyzers,
        facts,
        documents,
        /** Says what a published index cannot do. */
        limits: [...describeLimits(words.retrieval.capabilities), ELSEWHERE].join(' '),
        catalog: async () => (await documents()).catalog(),
        async services(mode: SearchMode): Promise<ChosenServices> {
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
      await Promise.all([engine, ...embedders, reranker].map((each) => each.close()));
    },
  };
}

export function factsOf(state: ShownState): IndexFacts {
  const { documents, passages, embedded, model, updated, behindSeconds } = state;
  const facts = { documents: documents.count, chunks: passages.count, embedded, model };
  return {
    ...facts,
    stale: embedded < passages.count,
    ...(updated !== undefined && { updated }),
    ...(behindSeconds !== undefined && { behindSeconds }),
  };
}
