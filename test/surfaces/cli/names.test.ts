/** Files of any name are indexed, found, read and followed through the real command, and every path stays on one line. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';
import type { Outcome } from './execute-here.ts';

/** Composed and decomposed spellings of one name are two files where the file system tells them apart. */
const NAMES = [
  'caf\u00e9.md',
  'cafe\u0301.md',
  'two\nlines.md',
  'it\'s "quoted".md',
  '🦔 hedgehog.md',
  ' lead and trail .md',
  'a#b.md',
  'a|b.md',
  '-rf.md',
  '--help.md',
  'back\\slash.md',
  'tab\there.md',
  'esc\u001b[31mred.md',
  'mirror\u202egnp.md',
  '100%25 [x](y).md',
  '$(id) `x` *?.md',
  'c:12.md',
  `${'😀'.repeat(60)}.md`,
  `${'d/'.repeat(200)}deep.md`,
];
const wordOf = (name: string) => `zebra${NAMES.indexOf(name)}x`;

const playground = createPlayground(
  Object.fromEntries(NAMES.map((name) => [`docs/${name}`, `# Note\n\nThe word is ${wordOf(name)}.\n`])),
);
afterAll(() => playground[Symbol.dispose]());

async function docfuse(...args: string[]): Promise<Outcome> {
  const outcome = await playground.runHere(args);
  expect([args, outcome.code, outcome.code === 0 ? '' : outcome.stderr]).toEqual([args, 0, '']);
  return outcome;
}

beforeAll(() => docfuse('index', 'docs', '--no-embed'));

test.skipIf(process.platform !== 'linux')('all are listed, each on a line of its own', async () => {
  const { documents } = JSON.parse((await docfuse('list', 'docs', '--json')).stdout);
  expect(documents.map(({ path }: { path: string }) => path).sort()).toEqual([...NAMES].sort());
  const lines = (await docfuse('list', 'docs')).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(NAMES.length);
  expect(lines).toContain('docs/two␊lines.md  Note');
  expect(lines.filter((line) => /[\u0000-\u001f\u202a-\u202e]/.test(line))).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'each is found, read and related by its name',
  async () => {
    const words = ['two\nlines.md', 'caf\u00e9.md', 'cafe\u0301.md', '--help.md', NAMES.at(-1)!];
    for (const name of words) {
      const found = await docfuse('search', wordOf(name), 'docs', '--mode', 'keyword', '--no-sync', '--json');
      expect(JSON.parse(found.stdout).hits.map(({ path }: { path: string }) => path)).toEqual([name]);
      const read = await docfuse('read', '--json', '--', `docs/${name}`, 'docs');
      expect(JSON.parse(read.stdout).text).toContain(wordOf(name));
    }
    const { stdout } = await docfuse(
      'search',
      wordOf('two\nlines.md'),
      'docs',
      '--mode',
      'keyword',
      '--files',
    );
    expect(stdout).toBe('docs/two␊lines.md\n');
  },
  60_000,
);

test.skipIf(process.platform !== 'linux')(
  'a change of name is followed',
  async () => {
    renameSync(join(playground.folder, 'docs/a#b.md'), join(playground.folder, 'docs/a\nb.md'));
    const { stdout } = await docfuse('index', 'docs', '--no-embed');
    expect(stdout).toContain('1 renamed');
    const told = Promise.withResolvers<string>();
    const watching = playground.run(['index', 'docs', '--watch'], {
      onStart(child) {
        child.stderr!.on('data', (text: Buffer) => {
          if (!String(text).includes('Watching')) return;
          setTimeout(
            () =>
              renameSync(join(playground.folder, 'docs/a\nb.md'), join(playground.folder, 'docs/b\nc.md')),
            500,
          );
        });
        child.stdout!.on('data', (text: Buffer) => {
          if (String(text).includes('c.md')) {
            told.resolve(String(text));
            child.kill('SIGINT');
          }
        });
      },
    });
    expect(await told.promise).toContain('added docs/b␊c.md\n');
    await watching;
  },
  60_000,
);
