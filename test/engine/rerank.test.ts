import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { createOnnxReranker } from '../../src/adapters/onnx/reranker.ts';
import type { SearchResult, SettingsOverride } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { startService } from '../adapters/openai/service.ts';
import { makeCrossEncoder } from '../support/cross-encoder.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const CROSS_ENCODER = makeCrossEncoder(join(folder, 'cross-encoder'));
const options = { roots: [join(folder, 'notes')], indexPath: join(folder, 'index') };

/** The cross-encoder of the tests counts shared words; keyword search prefers short and rare. */
const NOTES = {
  'a.md': '# A\n\nRotation rotation rotation.\n',
  'b.md': `# B\n\nHow do you rotate the access keys? ${'Ask whoever keeps the list of them. '.repeat(8)}\n`,
  'c.md': '# C\n\nNothing but keys and rotation.\n',
};
const QUERY = 'how do you rotate the access keys';

beforeAll(async () => {
  mkdirSync(join(folder, 'notes'));
  for (const [name, text] of Object.entries(NOTES)) writeFileSync(join(folder, 'notes', name), text);
  await using index = await open(options);
  await index.sync({ embed: false });
});

async function find(query: string, search: SettingsOverride['search'], topN = 10): Promise<SearchResult> {
  await using index = await open({ ...options, settings: search ? { search } : {} });
  return await index.search(query, { mode: 'keyword', minConfidence: 0, topN });
}
const paths = ({ hits }: SearchResult) => hits.map(({ path }) => path);
const scores = ({ hits }: SearchResult) => hits.map(({ score }) => score);
const on = { rerank_enabled: true, rerank_model: CROSS_ENCODER } as const;

test('reorders by the cross-encoder and keeps the ladder of confidences', async () => {
  const query = 'rotation the of them';
  const before = await find(query, {});
  const after = await find(query, { ...on, rerank_mode: 'replace' });
  expect(before.hits).toHaveLength(3);
  expect(paths(before)[0]).toBe('a.md');
  expect(paths(after)[0]).toBe('b.md');
  expect(paths(after).toSorted()).toEqual(paths(before).toSorted());
  expect(scores(after)).toEqual(scores(before));
});

test('rerank_top_n is how deep it goes, and the model is not needed when it is off', async () => {
  const query = 'rotation the of them';
  expect(paths(await find(query, { ...on, rerank_mode: 'replace', rerank_top_n: 1 }))).toEqual(
    paths(await find(query, { rerank_model: 'no such folder' })),
  );
});

test('a search without it has the order before', async () => {
  const query = 'rotation the of them';
  await using index = await open({
    ...options,
    settings: { search: { ...on, rerank_mode: 'replace' } },
  });
  const asked = { mode: 'keyword', minConfidence: 0, topN: 10 } as const;
  expect(paths(await index.search(query, { ...asked, rerank: false }))).toEqual(paths(await find(query, {})));
  expect(paths(await index.search(query, asked))[0]).toBe('b.md');
});

test('the first hits of a longer answer are the shorter answer', async () => {
  const long = paths(await find(QUERY, on, 10));
  for (const topN of [1, 2]) expect(paths(await find(QUERY, on, topN))).toEqual(long.slice(0, topN));
});

test('a service reranks as the model there does; while it is away, the order stays and the answer says so', async () => {
  const reranker = createOnnxReranker({ folder: CROSS_ENCODER });
  await using service = await startService({ reranker });
  const query = 'rotation the of them';
  const remote = { ...on, rerank_base_url: service.url, rerank_model: 'm', rerank_mode: 'replace' } as const;
  expect(paths(await find(query, remote))).toEqual(
    paths(await find(query, { ...on, rerank_mode: 'replace' })),
  );
  const away = await find(query, { ...remote, rerank_base_url: 'http://127.0.0.1:9/v1' });
  expect(paths(away)).toEqual(paths(await find(query, {})));
  expect(away.notice).toMatch(
    /^The hits are not reranked\. The reranking service cannot be reached at http:\/\/127/,
  );
  await reranker.close();
});

test('an answer that was not reranked is not kept for the next time', async () => {
  const reranker = createOnnxReranker({ folder: CROSS_ENCODER });
  await using service = await startService({ reranker });
  service.replies.push(...Array.from({ length: 2 }, () => ({ status: 500 })));
  const search = { ...on, rerank_base_url: service.url, rerank_model: 'm', rerank_mode: 'replace' } as const;
  await using index = await open({ ...options, settings: { search } });
  const ask = () => index.search('rotation the of them', { mode: 'keyword', minConfidence: 0 });
  expect((await ask()).notice).toContain('The hits are not reranked.');
  const next = await ask();
  expect(next.notice).toBeUndefined();
  expect(paths(next)[0]).toBe('b.md');
  await reranker.close();
});

test('offline, no service on another machine is asked', async () => {
  vi.stubEnv('DOCFUSE_OFFLINE', '1');
  const { notice } = await find(QUERY, { ...on, rerank_base_url: 'https://api.example/v1' });
  vi.unstubAllEnvs();
  expect(notice).toContain('No request is sent to api.example, because DOCFUSE_OFFLINE is set.');
});

test('a model runs in threads, so that a search stops no other work', async () => {
  const names: string[] = [];
  const note = (worker: { readonly threadName?: string | null }) => names.push(worker.threadName ?? '');
  process.on('worker', note);
  await find('rotation the of them', on);
  process.off('worker', note);
  expect(names.filter((name) => name.includes('reranking')).length).toBeGreaterThan(0);
});

test('the default model is not in the package, and the error says what to do', async () => {
  await expect(find(QUERY, { rerank_enabled: true })).rejects.toMatchObject({
    code: 'model_missing',
    message: expect.stringContaining('cross-encoder/ms-marco-MiniLM-L-6-v2'),
    remedy: expect.stringContaining('folder'),
  });
});
