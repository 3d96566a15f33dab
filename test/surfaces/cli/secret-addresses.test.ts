/** A password in an address is neither printed nor stored, wherever a user writes the address. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const WORD = 'zwiebelkuchen';
const ADDRESSES = [
  ...['postgres', 'Postgres', 'postgresql+psycopg2', 'qdrant', 'QDRANT', 'https', 'redis'].map(
    (scheme) => `${scheme}://me:${WORD}@127.0.0.1/notes`,
  ),
  ...[`postgres://127.0.0.1/a?password=${WORD}`, `postgres:/me:${WORD}@127.0.0.1/a`, `http://me:${WORD}@`],
];
const URLS = { postgres: ADDRESSES, qdrant: [...ADDRESSES, `http://127.0.0.1/?key=${WORD}`] };
const COMMANDS = [
  ...['index', 'status', 'doctor', 'config', 'list', 'worker', 'mcp', 'serve --port 0', 'search lantern'],
  ...['config --json', 'serve --port 0 --log-format json', 'mcp install --client cursor', 'index --watch'],
].map((command) => command.split(' '));

function createNotes(files: Readonly<Record<string, string>> = {}) {
  const playground = createPlayground({ 'docs/a.md': '# Lantern\n', ...files });
  onTestFinished(() => playground[Symbol.dispose]());
  return {
    ...playground,
    async refuses(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      const { code, stdout, stderr } = await playground.runHere(args, { env });
      expect({ args, code, said: stdout + stderr }).toEqual({
        args,
        code: expect.toBeOneOf([1, 2]),
        said: expect.not.stringContaining(WORD),
      });
    },
  };
}

test('of --index and of a folder', async () => {
  const { folder, refuses } = createNotes();
  for (const command of COMMANDS) await refuses([...command, '--index', ADDRESSES[0]!]);
  for (const address of ADDRESSES) {
    await refuses(['search', 'lantern', '--index', address]);
    await refuses(['search', 'lantern'], { DOCFUSE_INDEX: address });
    await refuses(['index', address]);
  }
  expect(readdirSync(folder, { recursive: true }).join()).not.toContain(WORD);
}, 120_000);

test('of the environment', async () => {
  const { refuses } = createNotes();
  for (const command of COMMANDS) await refuses(command, { DOCFUSE_POSTGRES_URL: ADDRESSES[0]! });
  for (const [engine, addresses] of Object.entries(URLS))
    for (const address of addresses)
      await refuses(['config'], { [`DOCFUSE_${engine.toUpperCase()}_URL`]: address });
}, 120_000);

test('of a configuration file, trusted or not', async () => {
  const { folder, write, refuses, runHere } = createNotes();
  for (const [engine, addresses] of Object.entries(URLS))
    for (const address of addresses) {
      write({ 'docfuse.toml': `[${engine}]\nurl = ${JSON.stringify(address)}\n` });
      await refuses(['status']);
      await refuses(['config', '--json', '--config', 'docfuse.toml']);
    }
  for (const address of ADDRESSES) {
    write({ 'docfuse.toml': `index_path = ${JSON.stringify(address)}\n` });
    await refuses(['status']);
  }
  for (const command of COMMANDS) await refuses(command);
  write({ 'docfuse.toml': `[[collections]]\npath = "https://me:${WORD}@127.0.0.1/"\n` });
  const { stdout, stderr } = await runHere(['config', '--json']);
  expect(stdout).toContain('https://127.0.0.1/…');
  expect(stdout + stderr).not.toContain(WORD);
  const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'docfuse.toml',
  );
  for (const { parentPath, name } of written)
    expect(readFileSync(join(parentPath, name), 'latin1'), name).not.toContain(WORD);
}, 120_000);
