/** Real signals sent to the real command. */
import type { ChildProcess } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const COUNT = 700;
/** Makes a note so long that the passages of a batch are embedded while the test looks. */
const NIGHT = 'He writes down what he saw in the night, closes the door behind him, and sleeps. '.repeat(8);
const playground = createPlayground(
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, number) => [
      `docs/${number}.md`,
      `# Note ${number}\n\nLantern ${number} stands in cellar ${number * 7}, and its keeper lights it at ${number} o'clock.\n\n${NIGHT}\n`,
    ]),
  ),
);
afterAll(() => playground[Symbol.dispose]());

/** Sends the signal as soon as more than `before`, but not all, passages have vectors; looks itself, for a command would take too long. */
async function interruptWhileEmbedding(
  child: ChildProcess,
  signal: NodeJS.Signals,
  before = 0,
): Promise<void> {
  while (vectors() <= before) {
    if (child.exitCode !== null) throw new Error('Indexing ended before it could be interrupted.');
    await sleep(20);
  }
  child.kill(signal);
}

function vectors(): number {
  const [file] = globSync('.data/docfuse/indexes/*/index.sqlite', { cwd: playground.folder });
  if (file === undefined) return 0;
  try {
    using database = new DatabaseSync(join(playground.folder, file), { readOnly: true, timeout: 5_000 });
    return Number(database.prepare('SELECT count(*) AS count FROM vectors').get()!.count);
  } catch {
    return 0; // its tables are just being made
  }
}

const embedded = async () =>
  JSON.parse((await playground.run(['status', 'docs', '--json'])).stdout).index.embedded as number;

test('Ctrl-C while indexing ends with 130 and a sentence; the next run goes on from there, also after a kill', async () => {
  let sent: Promise<void> | undefined;
  await playground.run(['index', 'docs'], {
    onStart: (child) => {
      sent = interruptWhileEmbedding(child, 'SIGKILL');
    },
  });
  await sent;
  const killedAt = await embedded();
  expect(killedAt).toBeGreaterThan(0);

  const outcome = await playground.run(['index', 'docs'], {
    onStart: (child) => {
      sent = interruptWhileEmbedding(child, 'SIGINT', killedAt);
    },
  });
  await sent;
  expect(outcome).toMatchObject({ code: 130, stdout: '' });
  expect(outcome.stderr).toContain('finished work is kept');
  expect(outcome.stderr).not.toContain('error');

  const between = JSON.parse((await playground.run(['status', 'docs', '--json'])).stdout).index;
  expect(between).toMatchObject({ documents: COUNT, stale: true });
  expect(between.embedded).toBeGreaterThan(killedAt);
  const found = await playground.run([
    'search',
    'lantern 77',
    'docs',
    '--no-sync',
    '--mode',
    'keyword',
    '--files',
  ]);
  expect(found.stdout).toContain('docs/77.md');

  const rest = JSON.parse((await playground.run(['index', 'docs', '--json'])).stdout);
  expect(rest).toMatchObject({ added: 0, unchanged: COUNT });
  expect(rest.embedded).toBeLessThanOrEqual(COUNT - between.embedded);
  expect(JSON.parse((await playground.run(['status', 'docs', '--json'])).stdout).index.stale).toBe(false);
}, 180_000);
