/** Engines that find passages by words. Each has the settings that its documentation recommends for ranked search of prose. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createKeywordRetriever } from '../../src/core/indexes/keyword.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { type Engine, load, type Passage, type WordCorpus } from './engine.ts';

type WordEngine = Engine<WordCorpus>;

const docfuse: WordEngine = {
  name: 'docfuse',
  note: 'BM25F over nine fields, positions, compounds; in memory',
  build({ passages }) {
    const retriever = createKeywordRetriever({ idOf: (slot) => String(slot) });
    const BATCH = 2_000;
    for (let start = 0; start < passages.length; start += BATCH) {
      const batch = passages.slice(start, start + BATCH).map(({ title, headings, text }, index) => {
        const slot = start + index;
        const chunk = { id: String(slot), text, headingPath: [title, ...headings], codeBlocks: [] };
        const document = { title, aliases: [], tags: [], keywords: [] };
        return { slot, chunk, document };
      });
      retriever.add(batch);
    }
    return {
      search: (query, k) =>
        retriever.search({ parsed: parseQuery(query) }, k).entries.map(({ slot }) => slot),
    };
  },
};

const fts5: WordEngine = {
  name: 'SQLite FTS5',
  note: 'BM25, Porter stems; in a file',
  build({ passages }, folder) {
    const database = new DatabaseSync(join(folder, 'fts5.sqlite'));
    database.exec(
      `CREATE VIRTUAL TABLE passages USING fts5(title, headings, text, tokenize = 'porter unicode61')`,
    );
    const insert = database.prepare(
      'INSERT INTO passages (rowid, title, headings, text) VALUES (?, ?, ?, ?)',
    );
    database.exec('BEGIN');
    for (const [index, { title, headings, text }] of passages.entries())
      insert.run(index, title, headings.join('\n'), text);
    database.exec('COMMIT');
    const select = database.prepare(
      'SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages, 2, 1.5, 1) LIMIT ?',
    );
    return {
      search: (query, k) =>
        select
          .all(
            wordsOf(query)
              .map((word) => `"${word}"`)
              .join(' OR '),
            k,
          )
          .map(({ rowid }) => Number(rowid)),
      close: () => database.close(),
    };
  },
};

const miniSearch: WordEngine = {
  name: 'MiniSearch',
  note: 'BM25+, no stems; in memory',
  needs: 'minisearch',
  async build({ passages }) {
    const { default: MiniSearch } = await load('minisearch');
    const index = new MiniSearch({
      fields: ['title', 'headings', 'text'],
      searchOptions: { boost: { title: 2 } },
    });
    index.addAll(rowsOf(passages));
    return {
      search: (query, k) =>
        index
          .search(query)
          .slice(0, k)
          .map(({ id }: { id: number }) => id),
    };
  },
};

const orama: WordEngine = {
  name: 'Orama',
  note: 'BM25, no stems; in memory',
  needs: '@orama/orama',
  async build({ passages }) {
    const { create, insertMultiple, search } = await load('@orama/orama');
    const database = create({ schema: { title: 'string', headings: 'string', text: 'string' } });
    const rows = rowsOf(passages).map((row) => ({ ...row, id: String(row.id) }));
    await insertMultiple(database, rows, 1_000);
    return {
      async search(term, limit) {
        const { hits } = await search(database, { term, limit, threshold: 1, boost: { title: 2 } });
        return hits.map(({ id }: { id: string }) => Number(id));
      },
    };
  },
};

const flexSearch: WordEngine = {
  name: 'FlexSearch',
  note: 'no BM25: order of places; in memory',
  needs: 'flexsearch',
  async build({ passages }) {
    const { default: FlexSearch } = await load('flexsearch');
    const index = new FlexSearch.Document({
      document: { id: 'id', index: ['title', 'headings', 'text'] },
      encoder: FlexSearch.Charset.LatinBalance,
    });
    for (const row of rowsOf(passages)) index.add(row);
    return {
      search: (query, limit) =>
        index
          .search(query, { limit, suggest: true, merge: true })
          .map(({ id }: { id: number }) => id)
          .slice(0, limit),
    };
  },
};

const bm25Library: WordEngine = {
  name: 'wink BM25',
  note: 'a BM25 library as the original systems used one; in memory',
  needs: 'wink-bm25-text-search',
  async build({ passages }) {
    const { default: bm25 } = await load('wink-bm25-text-search');
    const { default: nlp } = await load('wink-nlp-utils');
    const index = bm25();
    index.defineConfig({ fldWeights: { title: 2, headings: 1.5, text: 1 } });
    index.definePrepTasks([
      nlp.string.lowerCase,
      nlp.string.tokenize0,
      nlp.tokens.removeWords,
      nlp.tokens.stem,
    ]);
    for (const { id, ...row } of rowsOf(passages)) index.addDoc(row, id);
    index.consolidate();
    return {
      search: (query, k) => index.search(query, k).map(([id]: [string]) => Number(id)),
    };
  },
};

/** As most libraries take them. */
function rowsOf(passages: readonly Passage[]) {
  return passages.map(({ headings, ...passage }, id) => ({ id, ...passage, headings: headings.join('\n') }));
}

function wordsOf(query: string): string[] {
  return query.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export const WORD_ENGINES: readonly WordEngine[] = [
  docfuse,
  fts5,
  miniSearch,
  orama,
  flexSearch,
  bm25Library,
];
