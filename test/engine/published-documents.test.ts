/** Documents of a published index: every answer about them is that of the index which was published. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { open } from '../../src/engine/open.ts';
import { openEngine } from '../../src/engine/published/open-engine.ts';
import { startServer } from '../../src/surfaces/http/start-server.ts';
import { onEachServer } from '../support/published/each-server.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILES = {
  'front.md':
    '---\ntitle: The front\ntags: [ops, a/b]\nzebra: 1\nadded: { by: me, at: null }\n---\n\n\n# Part\n\nSee [[crlf]] and [[gone]].\n\n\n## Part\n\nAgain. ^mark\n',
  'crlf.md': '---\r\ntags: ops\r\n---\r\n# Lines\r\n\r\nOne.\r\n\r\n\r\nTwo, see [front](front.md).\r\n',
  'code.md':
    '# Code\n\n```sh\n# no heading\necho $PATH\n```\n\n~~~ts\nconst a = `b`;\n~~~\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  'deep/long.md': `# Long\n\n${Array.from({ length: 400 }, (_, at) => `Sentence ${at} of a paragraph that has many. ${at % 9 ? '' : '\n\n'}`).join('')}\n\n# End\n\n${'x'.repeat(5_000)}`,
  'deep/潮汐.md': '# 潮汐\n\n月亮牵引大海。👩‍🚀 e\u0301\n\n## 涨潮\n\n参见[[crlf]]。\u2028 同一行。',
  'copy.md':
    '# Code\n\n```sh\n# no heading\necho $PATH\n```\n\n~~~ts\nconst a = `b`;\n~~~\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  'empty.md': '',
  'only-front.md': '---\ntags: [ops]\n---\n',
};

/** Runs a call; returns an answer without paths of this machine, or the error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await call, (key, value) => (key === 'file' ? undefined : value)));
  } catch (error) {
    const { code, message, remedy } = error as { code: string; message: string; remedy: string };
    return { code, message, remedy };
  }
}

/** An outcome to compare with: an index on this machine rounds vectors to 12 bits, a server to 16. */
function roughly(expected: unknown): unknown {
  return JSON.parse(JSON.stringify(expected), (key, value) =>
    key === 'similarity' ? expect.closeTo(value, 3) : value,
  );
}

onEachServer('notes', ({ engine, at, settings: own }) => {
  /** Publishes a folder and the commits of a repository, and opens the publication as another machine does. */
  async function publishedVault(name: string) {
    const settings = { [engine]: { ...own, name }, embedding: { model: SMALL_MODEL } };
    const work = temporaryFolder();
    const [folder, repository] = [join(work, 'docs'), join(work, 'code')];
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    for (const made of [join(folder, 'deep'), repository]) mkdirSync(made, { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    for (const [path, text] of Object.entries(FILES)) write(path, text);
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'Keep the lantern lit\n\nIt went out.');
    const commit = String(git('rev-parse', 'HEAD')).trim();
    const config = join(work, 'docfuse.toml');
    const collection = (path: string, kind: string) =>
      `[[collections]]\npath = "${path}"\nkind = "${kind}"\n`;
    writeFileSync(
      config,
      `${collection('docs', 'folder')}name = "docs"\n${collection('code', 'git')}name = "code"\n`,
    );
    const openMine = () => open({ config, indexPath: join(work, 'index'), settings });
    const mine = await openMine();
    const openTheirs = () => open({ indexPath: at(name), settings, cwd: work });
    const theirs = await openTheirs();
    onTestFinished(async () => void (await Promise.all([mine.close(), theirs.close()])));
    await mine.sync({ publish: true });
    return { mine, openMine, theirs, openTheirs, settings, write, commit };
  }

  test('are read, listed and related as in the index that was published', async () => {
    const { mine, theirs, commit } = await publishedVault('same');
    const same = async (ask: (index: Index) => Promise<unknown>) => {
      const expected = await outcome(ask(mine));
      expect(await outcome(ask(theirs))).toEqual(roughly(expected));
      return expected;
    };
    const { documents, total } = await mine.list({ limit: 1_000 });
    expect(total).toBe(9);
    for (const { documentId } of documents) {
      await same((index) => index.read(documentId));
      await same((index) => index.related(documentId, { depth: 3 }));
    }
    const [hit] = (await theirs.search('sentence 99 of a paragraph', { minConfidence: 0 })).hits;
    expect(hit).toMatchObject({ path: 'deep/long.md' });
    for (const name of [
      ...['front.md#part', 'front.md#Part-1', 'front#^mark', 'docs/front.md:9-11', 'The front', 'long:3'],
      ...[commit.slice(0, 8), `code/${commit}.md`, hit!.chunkId, '涨潮', '潮汐#涨潮'],
      ...['frnt.md', 'deep', 'front.md#nothing', 'front.md:99', 'code.md'],
    ]) {
      await same((index) => index.read(name));
      await same((index) => index.related(name));
    }
    await same((index) => index.read('long', { maxChars: 700, startLine: 20 }));
    const cut = await same((index) => index.read('code.md', { startLine: 4, endLine: 8 }));
    expect(cut).toMatchObject({ text: '# no heading\necho $PATH\n```\n\n~~~ts', fence: '```sh' });
    for (const asked of [
      ...([{}, { sort: 'title' }, { sort: 'date', limit: 2 }, { cursor: 'x' }] as const),
      ...[{ tags: ['ops'] }, { path: ['deep'] }, { lang: ['ts'] }, { tags: ['opps'] }].map((filters) => ({
        filters,
      })),
    ])
      await same((index) => index.list(asked));
    const first = await theirs.list({ limit: 4 });
    await same((index) => index.list({ limit: 4, cursor: first.nextCursor! }));
    expect(await same((index) => index.tags())).toContainEqual({ tag: 'ops', documents: 3 });
    expect(await same((index) => index.graph())).toMatchObject({
      edges: expect.arrayContaining([expect.anything()]),
    });
    expect(await same((index) => index.audit())).toMatchObject({
      brokenLinks: { count: 1 },
      duplicates: { documents: 1 },
    });
    const related = await mine.related('front.md', { depth: 2 });
    expect([related.linked.length, related.similar.length, related.community?.documents]).toEqual([2, 5, 3]);
    expect(await theirs.collections()).toEqual([
      { name: 'code', root: at('same'), documents: 1 },
      { name: 'docs', root: at('same'), documents: 8 },
    ]);
  }, 120_000);

  test('follow the publication, also while it is sent', async () => {
    const { mine, openMine, theirs, openTheirs, write } = await publishedVault('follow');
    const read = async (name: string, index = theirs) => {
      const { startLine, text } = await index.read(name);
      return { startLine, text };
    };
    const former = { startLine: 4, text: '# Lines\n\nOne.\n\n\nTwo, see [front](front.md).' };
    expect(await read('crlf')).toEqual(former);
    // So long that it is sent at once. The publisher stops at the last document.
    const long = Array.from({ length: 300 }, (_, at) => `## Part ${at}\n\n${'Text. '.repeat(99)}`).join(
      '\n\n',
    );
    write('crlf.md', long);
    write('new.md', 'New.');
    await mine.sync();
    // Opened again, it publishes documents in the order of their numbers.
    await using again = await openMine();
    const stop = new AbortController();
    const stopped = again.sync({
      ...{ publish: true, signal: stop.signal },
      onProgress: ({ phase, done, total }) =>
        phase === 'publish' && done === total - 1 && stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await read('crlf')).toEqual(former);
    await using late = await openTheirs();
    expect((await read('crlf', late)).text === long).toBe(true);
    expect(await late.list()).toMatchObject({ total: 9 });
    expect(await late.tags()).toContainEqual({ tag: 'ops', documents: 2 });

    await again.sync({ publish: true });
    expect(await read('new')).toEqual({ startLine: 1, text: 'New.' });
    expect((await read('crlf')).text === long).toBe(true);
    expect(await theirs.list()).toMatchObject({ total: 10 });
    // Its own passages are nearer than all others, and more than a search finds.
    const related = await outcome(theirs.related('crlf'));
    expect(related).toEqual(roughly(await outcome(again.related('crlf'))));
    expect(related).toMatchObject({ similar: { length: 5 } });
  }, 120_000);

  test('are listed again where a publisher has just removed one', async () => {
    const { mine, theirs, settings } = await publishedVault('removed');
    const before = await theirs.read('潮汐');
    const { config, published } = locateIndex({ indexPath: at('removed'), settings });
    const opened = await openEngine(published!, config.settings);
    onTestFinished(opened.close);
    const { edition, dimensions } = (await opened.state())!;
    const writer = await opened.writer(edition, dimensions);
    const numbers = [...(await writer.digests()).keys()].sort((a, b) => a - b);
    await writer.remove(numbers.slice(1));
    const message = 'There is no document 潮汐 in the index.';
    await expect(theirs.read('潮汐')).rejects.toMatchObject({ code: 'not_found', message });
    await mine.sync({ publish: true });
    expect(await theirs.read('潮汐')).toEqual(before);
  }, 120_000);

  test('open from hits over HTTP and MCP of a server without documents', async () => {
    const { settings } = await publishedVault('served');
    const failures: unknown[] = [];
    const ready = Promise.withResolvers<void>();
    const server = await startServer({
      ...{ open: { indexPath: at('served'), settings }, port: 0, onReady: ready.resolve },
      onFailure: (error) => failures.push(error) && ready.reject(error),
    });
    onTestFinished(() => server.close());
    await ready.promise;
    const get = async (path: string) =>
      (await fetch(server.url + path)).json() as Promise<{ hits: readonly Record<string, string>[] }>;
    const { hits } = await get('/api/search?query=moon+sentence+99&min_confidence=0');
    expect(hits.length).toBeGreaterThan(0);
    for (const { document_id, start_line, end_line, text } of hits) {
      const lines = `start_line=${start_line}&end_line=${end_line}`;
      const document = await get(`/api/documents/${encodeURIComponent(document_id!)}?${lines}`);
      expect(document).toMatchObject({
        document_id,
        start_line,
        text: expect.stringContaining(text!.trim()),
      });
    }
    for (const path of ['/api/documents', '/api/tags', '/api/collections', '/api/graph'])
      expect((await fetch(server.url + path)).status).toBe(200);
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)));
    onTestFinished(() => client.close());
    expect(client.getInstructions()).toMatch(/^Searches the user's own documents\.\n/);
    const name = 'read_document';
    const { content } = await client.callTool({ name, arguments: { document: 'docs/deep/潮汐.md#涨潮' } });
    expect(JSON.stringify(content)).toContain('参见[[crlf]]。');
  }, 120_000);
});
