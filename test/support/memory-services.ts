/** The services of a search over a handful of documents, all in memory: real chunks, links and indexes; what models say given as data. */
import { packVector } from '../../src/core/indexes/packed-vector.ts';
import { createVocabularyIndex } from '../../src/core/indexes/vocabulary.ts';
import { createMemoryParts, splitDocument } from '../../src/core/memory-index.ts';
import type { ParsedDocument } from '../../src/core/model/document.ts';
import { RANKING } from '../../src/core/model/ranking-constants.ts';
import type { SearchSettings } from '../../src/core/model/search-settings.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { createEmbeddedRetrieval } from '../../src/core/retrieval/embedded-retrieval.ts';
import { keepPassageFacts } from '../../src/core/search/keep-passage-facts.ts';
import { runSearch } from '../../src/core/search/run-search.ts';
import {
  initialState,
  type SearchRequest,
  type SearchServices,
  type SearchState,
} from '../../src/core/search/state.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { toSearchSettings } from '../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../src/engine/config/settings.ts';

export interface MemoryFile {
  readonly path: string;
  readonly text: string;
  /** @default 'notes' */
  readonly collection?: string;
  /** File time, milliseconds since 1970. @default 0 */
  readonly modified?: number;
}

export interface MemoryIndex {
  /** What is behind the retrieval of `services`. */
  readonly parts: ReturnType<typeof createMemoryParts>['parts'];
  /** What was read of the files, in their order. */
  readonly parsed: readonly ParsedDocument[];
  readonly services: SearchServices;
  /** Runs every stage, or those of a hypothesis where one is given, with the default settings but for those given. */
  search(query: string, options?: MemorySearch): Promise<SearchState>;
}

export type MemorySearch = Partial<Omit<SearchRequest, 'query' | 'settings'>> & {
  readonly settings?: Partial<SearchSettings>;
};

const DIMENSIONS = 16;
/** A day in 2026, in milliseconds since 1970. */
const NOW = Date.UTC(2026, 10, 22);
const DEFAULTS = toSearchSettings(settingsSchema.parse({}));

/** Indexes the files; slots and document numbers are given in order. */
export function memoryIndex(files: readonly MemoryFile[], constants = RANKING): MemoryIndex {
  const memory = createMemoryParts(DIMENSIONS, constants);
  const parsed = files.map(({ path, text, collection = 'notes', modified = 0 }) => {
    const split = splitDocument(collection, path, text);
    memory.add(
      split,
      split.chunks.map((chunk) => vectorOfText(chunk.text)),
      modified,
    );
    return split.parsed;
  });
  const vocabulary = createVocabularyIndex(DIMENSIONS);
  const words = new Set(files.flatMap(({ text }) => text.match(/\p{L}{4,}/gu) ?? []));
  // In order, as the store gives them: words that are equally near stay in it.
  for (const word of [...words].sort()) vocabulary.add(word, packVector(vectorOfText(word)));

  const paths = files.map(({ path }) => path).toSorted();
  const parts = {
    ...memory.parts,
    // Two documents whose paths follow each other are a community, in whatever order documents come.
    communityOf: (document: number) => Math.floor(paths.indexOf(files[document]!.path) / 2),
  };
  const retrieval = createEmbeddedRetrieval(parts);
  const services: SearchServices = {
    retrieval,
    passageFacts: keepPassageFacts(retrieval),
    embedQuery: async (text) => vectorOfText(text),
    embedPassage: async (text) => vectorOfText(text),
    vocabulary,
    thesaurus: { synonyms: (word) => (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word]! : []), close() {} },
    lexicon: { knows: (word) => !MISSPELT.has(word) },
    rerank: async (query, passages) => passages.map((passage) => sharedWords(query, passage)),
  };
  return {
    parts,
    parsed,
    services,
    search(query, { settings, ...options } = {}) {
      const request = {
        query: parseQuery(query),
        mode: 'hybrid' as const,
        topN: 5,
        minConfidence: 0,
        filters: {},
        explain: false,
        now: NOW,
        parents: false,
        ...options,
        settings: { ...DEFAULTS, ...settings },
      };
      return runSearch(initialState(request, constants), services, CLOCK);
    },
  };
}

const SYNONYMS: Readonly<Record<string, readonly string[]>> = { token: ['key'], backup: ['copy', 'spare'] };

/** `token` misspelt, and its stem; every other word is one of the language. */
const MISSPELT: ReadonlySet<string> = new Set(['tokne', 'tokn']);

const CLOCK = { now: () => NOW, monotonic: () => 0 };

/** Share of the words of a query that a passage holds. */
function sharedWords(query: string, passage: string): number {
  const [asked, held] = [query, passage].map((text) => {
    const terms = new Set<string>();
    analyze(text, (term) => void terms.add(term));
    return terms;
  }) as [Set<string>, Set<string>];
  return asked.size === 0 ? 0 : asked.intersection(held).size / asked.size;
}

/** A unit vector that depends on the words of a text alone; texts that share words are near each other. */
function vectorOfText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS).fill(0.5);
  analyze(text, (term) => {
    let hash = 7;
    for (let i = 0; i < term.length; i++) hash = (hash * 31 + term.charCodeAt(i)) % 65_521;
    vector[hash % DIMENSIONS]! += 1;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
