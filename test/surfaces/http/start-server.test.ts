/** A start that fails half-way leaves nothing behind that would hold its port or its process. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '../../../src/surfaces/http/start-server.ts';

const work = mkdtempSync(join(tmpdir(), 'docfuse-start-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

test('a note that cannot be written closes the port, the index and its watchers', async () => {
  const [folder, indexPath] = [join(work, 'notes'), join(work, 'index')];
  const inTheWay = join(indexPath, 'server.json');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n\nWords.\n');
  mkdirSync(inTheWay, { recursive: true });
  const port = await freePort();
  const start = () => startServer({ open: { roots: [folder], indexPath, cwd: work }, port });
  await expect(start()).rejects.toThrow(/server\.json/);
  await expect.poll(watchers).toBe(0);
  rmSync(inTheWay, { recursive: true });
  await (await start()).close();
});

function watchers(): number {
  return process.getActiveResourcesInfo().filter((name) => /FSEvent|TCPServer/.test(name)).length;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { readonly port: number };
  await new Promise((done) => server.close(done));
  return port;
}
