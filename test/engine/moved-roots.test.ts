/** A root that is another folder than it was, under the same name: nothing the system tells of the former one says so. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FreshIndex, keepFresh } from '../../src/engine/keep-fresh.ts';
import { open } from '../../src/engine/open.ts';
import { found } from './kept.ts';

const LATE = { timeout: 25_000, interval: 20 };

interface Scene {
  readonly work: string;
  readonly root: string;
}

/** What becomes of a root whose `bread.md` says sourdough; afterwards its `bread.md` says focaccia. */
const MOVES: Readonly<
  Record<string, { readonly make?: (work: string) => string; readonly move: (scene: Scene) => void }>
> = {
  'a link is pointed elsewhere': {
    make(work) {
      fill(join(work, 'first'), 'sourdough');
      symlinkSync('first', join(work, 'root'));
      return join(work, 'root');
    },
    move({ work, root }) {
      fill(join(work, 'second'), 'focaccia');
      symlinkSync('second', `${root}.new`);
      renameSync(`${root}.new`, root);
    },
  },
  'a link above it is pointed elsewhere': {
    make(work) {
      fill(join(work, 'first/notes'), 'sourdough');
      symlinkSync('first', join(work, 'link'));
      return join(work, 'link/notes');
    },
    move({ work }) {
      fill(join(work, 'second/notes'), 'focaccia');
      rmSync(join(work, 'link'));
      symlinkSync('second', join(work, 'link'));
    },
  },
  'the folder above it is renamed, and another one made': {
    make(work) {
      fill(join(work, 'above/notes'), 'sourdough');
      return join(work, 'above/notes');
    },
    move({ work, root }) {
      renameSync(join(work, 'above'), join(work, 'aside'));
      fill(root, 'focaccia');
    },
  },
  'it is renamed, and another one made': {
    move({ work, root }) {
      renameSync(root, join(work, 'aside'));
      fill(root, 'focaccia');
    },
  },
  'it is deleted, and another one made': {
    move({ root }) {
      rmSync(root, { recursive: true });
      fill(root, 'focaccia');
    },
  },
};

function fill(folder: string, word: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bread.md'), `# Bread\n\nToday ${word}.\n`);
}

async function watched(make: (work: string) => string, reconcileMs: number) {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-roots-')));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const root = make(work);
  const index = await open({ roots: [root], indexPath: join(work, 'index') });
  const fresh = keepFresh(index, { everyMs: reconcileMs, patienceMs: LATE.timeout });
  onTestFinished(() => fresh.close());
  await fresh.sync({ embed: false });
  expect(await found(fresh, 'sourdough')).toHaveLength(1);
  await vi.waitFor(() => expect(fresh.activity().state).toBe('idle'), LATE);
  return { work, root, fresh };
}

const plain = (work: string) => {
  fill(join(work, 'notes'), 'sourdough');
  return join(work, 'notes');
};

const words = async (fresh: FreshIndex) => [
  await found(fresh, 'sourdough'),
  await found(fresh, 'focaccia'),
  await found(fresh, 'brioche'),
];

test('a root that is a link to a file elsewhere follows that file', async () => {
  const { work, root, fresh } = await watched((folder) => {
    fill(join(folder, 'elsewhere'), 'sourdough');
    mkdirSync(join(folder, 'here'));
    symlinkSync('../elsewhere/bread.md', join(folder, 'here/loaf.md'));
    return join(folder, 'here/loaf.md');
  }, 300_000);
  fill(join(work, 'elsewhere'), 'focaccia');
  await fresh.sync({ embed: false });
  expect(await words(fresh)).toEqual([[], ['loaf.md'], []]);
  rmSync(root);
  fill(join(work, 'third'), 'brioche');
  symlinkSync('../third/bread.md', root);
  await fresh.sync({ embed: false });
  expect(await words(fresh)).toEqual([[], [], ['loaf.md']]);
  fill(join(work, 'third'), 'focaccia');
  await vi.waitFor(async () => expect(await words(fresh)).toEqual([[], ['loaf.md'], []]), LATE);
});

describe.each(Object.entries(MOVES))('%s', (_, { make = plain, move }) => {
  test('sync() sees it at once, and the new one is watched', async () => {
    const { fresh, ...scene } = await watched(make, 300_000);
    move(scene);
    await fresh.sync({ embed: false });
    expect(await words(fresh)).toEqual([[], ['bread.md'], []]);
    fill(scene.root, 'brioche');
    await vi.waitFor(async () => expect(await words(fresh)).toEqual([[], [], ['bread.md']]), LATE);
  });

  test('nobody needs to ask', async () => {
    const { fresh, ...scene } = await watched(make, 100);
    move(scene);
    await vi.waitFor(async () => expect(await words(fresh)).toEqual([[], ['bread.md'], []]), LATE);
    fill(scene.root, 'brioche');
    await vi.waitFor(async () => expect(await words(fresh)).toEqual([[], [], ['bread.md']]), LATE);
  });
});
