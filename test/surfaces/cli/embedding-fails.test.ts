/** What a user reads when an embedding service fails. */
import { beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { createPlayground, type Playground } from './docfuse.ts';

const HTML = { status: 502, headers: { 'retry-after': '600' }, body: '<!DOCTYPE html><html></html>' };
const SAID =
  'Words are indexed; vectors are missing: The embedding service answered 502 Bad Gateway (an HTML page). Try again later.';

/** Runs a command with the service, or with the address given. */
const run = (args: readonly string[], address = service.url) => {
  const settings = { provider: 'openai', model: 'm', dimensions: 4, base_url: address };
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `embedding.${key}=${value}`]);
  return playground.runHere([...args, ...set]);
};
let service: Service;
let playground: Playground;
beforeEach(async () => {
  service = await startService();
  playground = createPlayground({
    'notes/bread.md': '# Bread\n\nYeast turns sugar into gas.\n',
  });
  return async () => {
    playground[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  };
});

test('index ends with 1 and says that words are indexed and vectors are missing', async () => {
  service.replies.push(HTML, HTML);
  const { code, stdout } = await run(['index', 'notes']);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Files: 1 added\. .*\nWords are indexed/)]);
  expect(stdout).toContain(SAID);
  expect((await run(['status', 'notes'])).stdout).toContain(
    '\nLast error   The embedding service answered 502 Bad Gateway (an HTML page).\n',
  );
  const { stdout: json } = await run(['index', 'notes', '--json']);
  expect(JSON.parse(json)).toMatchObject({ unchanged: 1, embedding_error: SAID });
});

test('before more than 1,000 passages go to another machine, index says how many tokens these are', async () => {
  const section = (_: unknown, i: number) => `# Section ${i}\n\n${'word '.repeat(50)}\n`;
  playground.write({ 'notes/bread.md': Array.from({ length: 1_001 }, section).join('\n') });
  const elsewhere = service.url.replace('127.0.0.1', '0.0.0.0'); // this machine, under a name that is not its own
  service.replies.push(...Array.from({ length: 40 }, () => ({ status: 401 })));
  const { stderr } = await run(['index', 'notes'], elsewhere);
  expect(stderr).toMatch(
    /^1,001 passages, about \d\d,\d{3} tokens, are sent to 0\.0\.0\.0:\d+\. Ctrl-C stops/m,
  );
  expect((await run(['index', 'notes'])).stderr).not.toContain('tokens');
});

test('with every vector made, a service that is away is a warning', async () => {
  const vectors = { data: [{ embedding: [1, 2, 3, 4] }] };
  service.replies.push({ body: JSON.stringify(vectors) });
  expect((await run(['index', 'notes'])).code).toBe(0);
  expect((await run(['index', 'notes'], 'http://127.0.0.1:9/v1')).code).toBe(0);
});

test('a search says that it is by words only, and nothing of work that is kept', async () => {
  service.replies.push({ body: JSON.stringify({ data: [{ embedding: [1, 2, 3, 4] }] }) });
  await run(['index', 'notes']);
  service.replies.push(HTML);
  const { stdout, stderr } = await run(['search', 'yeast', 'notes', '--no-sync']);
  expect(stdout).toContain('bread.md:3');
  const said =
    'by words only, not by meaning. The embedding service answered 502 Bad Gateway (an HTML page). Try again later.\n';
  expect(stderr).toContain(said);
});
