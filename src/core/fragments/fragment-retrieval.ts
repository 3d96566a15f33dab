/** Retrieval over fragments: loads what a query needs, and lets the word indexes score it. */

import { inverseUnitFrequency } from '../indexes/bm25f.ts';
import { documentIndexWith } from '../indexes/documents.ts';
import { createKeywordRetriever } from '../indexes/keyword.ts';
import { isAllowed } from '../indexes/retriever.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { RANKING } from '../model/ranking-constants.ts';
import { correctSpelling, unknownWords } from '../query/correct-spelling.ts';
import { documentFilter, languageFilter } from '../query/filter.ts';
import { compileFilters, createEmbeddedRetrieval } from '../retrieval/embedded-retrieval.ts';
import type { Retrieval, RetrievalRequest } from '../retrieval/retrieval.ts';
import { fold } from '../text/fold.ts';
import { memoize } from '../text/memoize.ts';
import { chooseBlocks } from './choose-blocks.ts';
import type { CollectionFacts, LoadFragment } from './facts.ts';
import type { FragmentMeaning } from './fragment-meaning.ts';
import { countPlaces, lightCatalog, passageId } from './light-catalog.ts';
import { createPassageSegments, documentSegment, wordlessSegment } from './loaded-segments.ts';
import { storedNameShares, weightsIn } from './name-weights.ts';
import {
  completeLast,
  createWordStore,
  type Dictionary,
  type LoadedTerm,
  withPostings,
  wordsOf,
} from './query-words.ts';
import { createSpellingStore } from './spellings.ts';
import { createTextStore } from './text-fragment.ts';

export interface FragmentSource {
  readonly facts: CollectionFacts;
  readonly load: LoadFragment;
  /** Number of passages in a fragment of texts. */
  readonly textsEach: number;
  /** Loads the facts about all documents. Called only when they are needed, for example by a filter. */
  readonly loadDocuments: () => Promise<readonly CatalogDocument[]>;
  /** Extensions of the files, in lower case. */
  readonly extensions: ReadonlySet<string>;
  /** Absent for a search by words alone. */
  readonly meaning?: FragmentMeaning | undefined;
}

/** Postings are loaded until this many first passages are final. */
const CERTAIN = 10;
/** Number of passages nearest in meaning for which postings are loaded until their word scores are complete. */
const NEAREST = 30;
/** After this many rounds, everything that may still matter is loaded at once. */
const ROUNDS = 5;
/** @param certain number of first passages that must be the same as if all postings were loaded. @default 10 */
export function createFragmentRetrieval(source: FragmentSource, certain = CERTAIN) {
  const { facts, load, textsEach, loadDocuments, extensions, meaning } = source;
  const places = countPlaces(facts);
  const passageSegment = createPassageSegments(facts, places);
  const noPassageWords = wordlessSegment(places.slots, facts.passageLengths.length);
  const noDocumentWords = wordlessSegment(places.documents, facts.documentLengths.length);
  const hidden = new Set(facts.hidden);
  const stopWords = new Map(facts.stopWords);
  const store = createWordStore(facts, load);
  const spellings = createSpellingStore(facts.letters, load);
  const texts = createTextStore(places, textsEach, load);

  function documentIndex(words: ReadonlyMap<string, LoadedTerm>, dictionary: Dictionary) {
    const shares = storedNameShares({
      extensions,
      idfOf(term) {
        const count = dictionary.find(term)?.documents ?? stopWords.get(term) ?? 0;
        return inverseUnitFrequency(places.documents, count);
      },
      weightsOf: memoize((term: string) => weightsIn(words.get(term)?.loaded ?? [])),
    });
    const documents = documentIndexWith(() => shares, {});
    documents.load(noDocumentWords);
    documents.load(documentSegment([...words.values()], facts));
    return documents;
  }

  /** Loads postings until no missing posting can change the first passages. */
  async function loadIndex(
    { query, filters, vector: pending }: Pick<RetrievalRequest, 'query' | 'filters' | 'vector'>,
    dictionary: Dictionary,
    isList = false,
  ) {
    const vector = await pending;
    const isFiltered = [filters, query.filters].some((each) => documentFilter(each) ?? languageFilter(each));
    const all = isFiltered || isList ? await loadDocuments() : undefined;
    const wordsIn = (terms: readonly QueryTerm[]) => terms.flatMap((term) => wordsOf(term, dictionary));
    const demanded = [...query.required, ...query.excludedTerms];
    const wholly = new Set(wordsIn([...demanded, ...query.terms.filter(({ field }) => field)]));
    const words = new Map<string, LoadedTerm>();
    const phrases = [...query.phrases, ...query.excludedPhrases].flatMap(({ terms }) =>
      terms.map(({ term }) => term),
    );
    const named = wordsIn([...query.terms, ...demanded]);
    for (const word of [...named, ...query.words.map(({ term }) => term), ...phrases]) {
      const found = dictionary.find(word);
      // A word outside of `named`, such as a stop word, is used only if the dictionary has its postings: its blocks are too large.
      if (found && (found.postings || named.includes(word))) words.set(word, withPostings(found));
    }
    const replace = async (term: LoadedTerm, wanted: readonly number[]) =>
      words.set(term.term, await store.loadBlocks(term, wanted));
    await Promise.all(
      [...words.values()].map((term) => wholly.has(term.term) && replace(term, term.missing.slice(1))),
    );
    // After the first round, load no more postings of stop words: these postings are a large part of the export.
    const sought = query.terms.filter(({ term }) => !stopWords.has(term));
    const catalog = lightCatalog(places, hidden, all);
    const keyword = createKeywordRetriever({ idOf: passageId });
    keyword.load(noPassageWords);
    let segment = keyword.load(passageSegment([...words.values()]));
    for (let round = 0; ; round++) {
      const open = openWords(round === 0 ? query.terms : sought, words, dictionary, places.slots);
      if (open.length === 0) break;
      const { mask } = compileFilters({ query, filters }, { catalog, keyword });
      const ranking = keyword.search({ parsed: query }, certain, mask);
      const scores = new Float64Array(places.documents);
      for (let slot = 0; slot < places.slots; slot++) {
        const document = places.documentOf[slot]!;
        scores[document] = Math.max(scores[document]!, ranking.scoreOf(slot));
      }
      const isDocumentAllowed = (document: number) =>
        mask === undefined || catalog.slotsOf(document).some((slot) => isAllowed(mask, slot));
      const near = vector && (await meaning?.semantic.search({ parsed: query, vector }, NEAREST, mask));
      const nearest = new Set(near?.entries.map(({ slot }) => places.documentOf[slot]!));
      const needed = ranking.entries[certain - 1]?.score ?? 0;
      const { best } = ranking;
      const reached = { scores, needed, best, isAllowed: isDocumentAllowed, wanted: nearest };
      const wanted = chooseBlocks(open, reached, round >= ROUNDS);
      if (wanted.size === 0) break;
      await Promise.all([...wanted].map(([term, blocks]) => replace(term, blocks)));
      segment = keyword.replace([segment], passageSegment([...words.values()]))!;
    }
    return createEmbeddedRetrieval({
      catalog,
      keyword,
      documents: documentIndex(words, dictionary),
      code: keyword, // never searched: an export has no code index
      readChunks: () => [],
      readTexts: () => [],
      readParents: () => [],
      vectorOf: () => undefined,
      ...meaning,
    });
  }

  return {
    chunks: texts.chunks,
    catalog: async () => lightCatalog(places, hidden, await loadDocuments()),
    /**
     * Loads the words of a query.
     * @returns `retrieval` answers the query; `query` is the query, with its last word completed if that word occurs nowhere;
     * `lexicon` tells, for words that the collection lacks, whether they are words of the language
     */
    async prepare(asked: ParsedQuery) {
      const all = [...asked.terms, ...asked.required, ...asked.excludedTerms];
      const typed = [
        ...all.flatMap(({ prefix, term, forms = [] }) => (prefix ? [] : [term, ...forms])),
        ...asked.words
          .flatMap(({ term, forms = [] }) => [term, ...forms])
          .filter((term) => !stopWords.has(term)),
      ];
      const last = asked.terms.at(-1);
      const prefixes = all.flatMap(({ prefix, term }) => (prefix ? [term] : []));
      const look = (words: readonly string[]) => store.look(words, prefixes);
      let dictionary = await look(last ? [...typed, fold(last.surface)] : typed);
      const countOf = (term: string) => dictionary.find(term)?.passages ?? 0;
      const query = completeLast(asked, dictionary);
      const unknown = unknownWords(query, countOf).map(({ surface }) => fold(surface));
      const { isWord, nearWords } = await spellings(unknown);
      const corrected = correctSpelling(query, { countOf, nearWords, isWord, isStopWord: () => false });
      const read = corrected.query.terms.flatMap((term) => term.spellings?.terms ?? []);
      if (read.length > 0) dictionary = await look([...typed, ...read]);
      const indexFor = memoize((request: RetrievalRequest) => loadIndex(request, dictionary), new WeakMap());
      const retrieval: Retrieval = {
        capabilities: {
          exactWords: true,
          exactVectors: meaning !== undefined, // all are compared, with 8 bits
          phrases: false,
          wordForms: false,
          explanations: true,
        },
        words: {
          countOf,
          nearWords,
          // Fragments store no positions, so phrases cannot be counted.
          countOfPhrase: () => 0,
          longFormsOf: () => [],
          shortFormsOf: () => [],
        },
        retrieve: async (request) => (await indexFor(request)).retrieve(request),
        list: async (narrowing) => (await loadIndex(narrowing, dictionary, true)).list(narrowing),
        bestPassages: async (request, documents) =>
          (await indexFor(request)).bestPassages(request, documents),
        ...(meaning && {
          async neighbours(request: RetrievalRequest, numbers: readonly number[]) {
            const found = await (await indexFor(request)).neighbours!(request, numbers);
            return found.map((each) => ({ ...each, id: meaning.idOf(each.document) }));
          },
        }),
        explain: async (request, slots) => (await indexFor(request)).explain(request, slots),
        ...texts,
        vectors: (slots) => slots.map((slot) => meaning?.semantic.vectorOf(slot)),
        sections: (wanted) => wanted.map(() => undefined),
      };
      return { retrieval, query, lexicon: { knows: isWord } };
    },
  };
}

/** Returns the terms of the query whose postings are not all loaded, each with the highest score that it can give. */
function openWords(
  terms: readonly QueryTerm[],
  words: ReadonlyMap<string, LoadedTerm>,
  dictionary: Dictionary,
  passages: number,
) {
  const { k1 } = RANKING.words;
  return terms.flatMap((query) => {
    const held = wordsOf(query, dictionary).flatMap((word) => words.get(word) ?? []);
    const units = held.reduce((sum, term) => sum + term.passages, 0);
    const idf = inverseUnitFrequency(passages, Math.min(units, passages));
    const factor = (query.count ?? 1) * (query.weight ?? 1) * idf * (k1 + 1);
    return held.filter(({ missing }) => missing.length > 0).map((term) => ({ term, factor }));
  });
}
