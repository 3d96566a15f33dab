/** Asks one question under one value of a setting, written into a real `docfuse.toml` over real documents. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { DocfuseError } from '../../src/core/errors.ts';
import { chooseAnalyzers } from '../../src/core/text/analyzer.ts';
import type { SearchOptions, SearchResult, SettingsOverride } from '../../src/engine/api.ts';
import { loadConfig } from '../../src/engine/config/config.ts';
import { toSearchSettings } from '../../src/engine/config/search-settings.ts';
import { applyFilters } from '../../src/engine/filters.ts';
import { composeWorkspace, open, placeOfIndex } from '../../src/engine/open.ts';
import { openAnswerer } from '../../src/engine/open-models.ts';
import { search, searchWithHypothesis } from '../../src/engine/search/search.ts';
import { sync } from '../../src/engine/sync/sync.ts';
import { createSerialQueue } from '../../src/engine/tasks.ts';
import { startServer } from '../../src/surfaces/http/start-server.ts';
import { startService } from '../adapters/openai/service.ts';
import { makeCrossEncoder } from '../support/cross-encoder.ts';
import { writeFiles } from '../support/write-files.ts';
import { DOCUMENTS } from './settings-documents.ts';

export interface Example {
  /** Two values of the setting; the answers under them must differ. */
  readonly values: readonly [unknown, unknown];
  readonly query: string;
  readonly hypothesis?: true;
  /** Other settings, the same for both values. */
  readonly given?: SettingsOverride;
  readonly options?: SearchOptions;
  /**
   * `shared`: one index and one model for all. `opened`: the setting is read while opening. `built`: it shapes
   * the index, which is made anew by words. `embedded`: a small one with vectors, and what is compared is the
   * number of worker threads. `answered`: a language model is asked in place of the index. `served`: a server is started, and what is compared is whom it answers, and whether it saves grades.
   * @default 'shared'
   */
  readonly index?: 'shared' | 'opened' | 'built' | 'embedded' | 'answered' | 'served';
  /** What of the answer is compared. @default the hits: chunk, place, confidence, text, what was merged */
  readonly look?: (result: SearchResult) => unknown;
}

export interface Trial extends AsyncDisposable {
  /** What the example looks at, or the code of the error. */
  ask(key: string, value: unknown, example: Example): Promise<unknown>;
}

export async function createTrial(): Promise<Trial> {
  // Wants a key that is nowhere, so that every answer tells what was asked, and with which key.
  const service = await startService({ key: 'nobody has it' });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-settings-')));
  const documents = join(folder, 'docs');
  writeFiles(documents, DOCUMENTS);
  makeCrossEncoder(join(folder, 'cross-encoder'));
  // All that is made only on demand is there, so that the settings of each search decide.
  const everything = { search: { query_expansion_enabled: true, synonyms_enabled: true } };
  const indexPath = join(folder, 'shared');
  const { collections, settings } = loadConfig({ cwd: folder, roots: [documents], settings: everything });
  mkdirSync(indexPath);
  const shared = composeWorkspace(placeOfIndex(indexPath).open(), {
    collections,
    settings,
    analyzers: chooseAnalyzers(),
    cwd: folder,
  });
  await sync(shared, {}, { reading: createSerialQueue(), embedding: createSerialQueue() });

  async function run(example: Example): Promise<SearchResult> {
    const { query, hypothesis, options = {}, index = 'shared' } = example;
    const config = { cwd: folder, config: 'docfuse.toml', roots: [documents] };
    if (index === 'answered') await openAnswerer(config).answer({ system: '', user: query });
    if (index === 'shared') {
      const { filters, ...others } = options;
      const ask = hypothesis ? searchWithHypothesis : search;
      return ask(shared, toSearchSettings(loadConfig(config).settings), query, {
        ...others,
        ...(filters && { filters: applyFilters(filters, 0) }),
      });
    }
    const path = index === 'opened' ? indexPath : mkdtempSync(join(folder, 'own-'));
    const roots = [index === 'embedded' ? join(documents, 'long.md') : documents];
    await using own = await open({ ...config, roots, indexPath: path });
    if (index !== 'opened') await own.sync({ embed: index === 'embedded' });
    return await own.search(query, options);
  }

  async function serve(key: string): Promise<unknown> {
    const indexPath = mkdtempSync(join(folder, 'served-'));
    const roots = [join(documents, 'long.md')];
    const server = await startServer({ open: { cwd: folder, config: 'docfuse.toml', roots, indexPath } });
    try {
      if (key === 'server.judge') return await tryToJudge(server.url);
      return key === 'server.port' ? server.url : await askStrangely(server.url);
    } finally {
      await server.close();
    }
  }

  return {
    async ask(key, value, example) {
      writeFileSync(
        join(folder, 'docfuse.toml'),
        stringify(withSetting(example.given ?? {}, key, value)).replaceAll('$SERVICE', service.url),
      );
      let workers = 0;
      const count = () => workers++;
      process.on('worker', count);
      try {
        if (example.index === 'served') return await serve(key);
        const result = await run(example);
        return example.index === 'embedded' ? workers : (example.look ?? lookAtHits)(result);
      } catch (error) {
        if (error instanceof DocfuseError) return `${error.code}: ${error.message}`;
        throw error;
      } finally {
        process.off('worker', count);
      }
    },
    async [Symbol.asyncDispose]() {
      await shared.close();
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether it saves grades: those of a document that does not exist are not found. */
async function tryToJudge(url: string): Promise<number> {
  const response = await fetch(`${url}/api/judge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'x', documents: ['none.md'], grades: ['1'] }),
  });
  return response.status;
}

/** Whether it answers under another name, to a page of another site, and without a token. */
async function askStrangely(url: string): Promise<readonly number[]> {
  const status = (headers: Readonly<Record<string, string>>) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${url}/openapi.json`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on('error', reject).end();
    });
  return Promise.all([
    status({ host: 'notes.example' }),
    status({ origin: 'https://notes.example' }),
    status({}),
  ]);
}

function lookAtHits({ hits }: SearchResult): unknown {
  return hits.map(({ path, startLine, score, text, merged }) => ({
    at: `${path}:${startLine}`,
    score: score.toFixed(6),
    text,
    merged: merged?.length ?? 0,
  }));
}

type Tree = Readonly<Record<string, unknown>>;

function withSetting(tree: Tree, key: string, value: unknown): Tree {
  const [name = '', ...rest] = key.split('.');
  if (rest.length === 0) return { ...tree, [name]: value };
  return { ...tree, [name]: withSetting((tree[name] ?? {}) as Tree, rest.join('.'), value) };
}
