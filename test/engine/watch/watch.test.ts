/** What the system tells of real files reaches the index; conditions are waited for, since events may come late. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DocumentChange } from '../../../src/engine/api.ts';
import { keepFresh } from '../../../src/engine/watch/keep-fresh.ts';
import { found, kept } from '../kept.ts';
import { createVault } from '../vault.ts';

const NOTES = {
  'bread.md': '# Bread\n\nKnead the dough.\n',
  'garden/beans.md': '# Beans\n\nSow them in May.\n',
  'garden/herbs/mint.md': '# Mint\n\nMint spreads.\n',
};
const LATE = { timeout: 25_000, interval: 20 };

/** Files change, and nobody asks; comparing is as rare as in real use. */
async function watched(files: Readonly<Record<string, string>> = NOTES) {
  const changes: DocumentChange[] = [];
  const warnings: string[] = [];
  const failures: unknown[] = [];
  const all = await kept(files, {
    onChanges: (some) => changes.push(...some),
    onWarning: ({ message }) => warnings.push(message),
    onFailure: (error) => failures.push(error),
    everyMs: 200,
  });
  await all.fresh.sync();
  await idle(all.fresh);
  changes.length = 0;
  all.calls.length = 0;
  return { ...all, changes, warnings, failures, at: (path: string) => join(all.vault.folder, path) };
}

const idle = (fresh: Awaited<ReturnType<typeof kept>>['fresh']) =>
  vi.waitFor(() => expect(fresh.activity().state).toBe('idle'), LATE);

const finds = (fresh: Parameters<typeof found>[0], query: string, paths: readonly string[]) =>
  vi.waitFor(async () => expect((await found(fresh, query)).sort()).toEqual(paths), LATE);

test('a file that comes, changes, moves and goes is found as it is, and only it is read', async () => {
  const { fresh, calls, at } = await watched();
  writeFileSync(at('garden/leek.md'), '# Leek\n\nEarth the leek up.\n');
  await finds(fresh, 'leek', ['garden/leek.md']);
  writeFileSync(at('garden/leek.md'), '# Leek\n\nFleece against frost.\n');
  await finds(fresh, 'fleece', ['garden/leek.md']);
  expect(await found(fresh, 'earth')).toEqual([]);
  await idle(fresh);
  const embedded = (await fresh.status()).index;
  expect(embedded).toMatchObject({ documents: 4, stale: false });
  renameSync(at('garden/leek.md'), at('allium.md'));
  await finds(fresh, 'fleece', ['allium.md']);
  rmSync(at('allium.md'));
  await finds(fresh, 'fleece', []);
  expect(calls.every(({ only }) => only && !only.includes('notes'))).toBe(true);
});

test('a file replaced as editors do it, by a rename over it, is read again', async () => {
  const { fresh, at, changes } = await watched();
  for (const word of ['sourdough', 'focaccia', 'brioche']) {
    writeFileSync(at('.bread.md.swp'), `# Bread\n\nToday ${word}.\n`);
    renameSync(at('.bread.md.swp'), at('bread.md'));
    await finds(fresh, word, ['bread.md']);
  }
  expect(changes.map(({ change }) => change)).toEqual(['changed', 'changed', 'changed']);
});

test('a file saved in the other ways of editors is read again: the old one moved aside, or emptied and filled', async () => {
  const { fresh, at, failures } = await watched();
  renameSync(at('bread.md'), at('bread.md~'));
  writeFileSync(at('bread.md'), '# Bread\n\nToday lavash.\n');
  rmSync(at('bread.md~'));
  await finds(fresh, 'lavash', ['bread.md']);
  truncateSync(at('bread.md'));
  await sleep(60);
  for (const piece of ['# Bread\n\n', 'Today injera.\n']) {
    appendFileSync(at('bread.md'), piece);
    await sleep(60);
  }
  await finds(fresh, 'injera', ['bread.md']);
  expect(await found(fresh, 'lavash')).toEqual([]);
  await idle(fresh);
  expect((await fresh.status()).index).toMatchObject({ documents: 3, stale: false });
  expect(failures).toEqual([]);
});

test('folders come, move and go with what is in them, and are watched where they are now', async () => {
  const { fresh, at, vault } = await watched();
  mkdirSync(at('orchard/old/rows'), { recursive: true });
  writeFileSync(at('orchard/old/rows/pear.md'), '# Pear\n\nConference.\n');
  await finds(fresh, 'conference', ['orchard/old/rows/pear.md']);
  await idle(fresh);
  const { chunks } = (await fresh.status()).index;
  renameSync(at('orchard'), at('garden/orchard'));
  await finds(fresh, 'conference', ['garden/orchard/old/rows/pear.md']);
  writeFileSync(at('garden/orchard/old/rows/plum.md'), '# Plum\n\nVictoria.\n');
  await finds(fresh, 'victoria', ['garden/orchard/old/rows/plum.md']);
  renameSync(at('garden/orchard'), join(vault.folder, '..', 'elsewhere'));
  await finds(fresh, 'conference', []);
  // What happens outside the folder any more is of no concern.
  writeFileSync(join(vault.folder, '..', 'elsewhere/old/rows/pear.md'), '# Pear\n\nConcorde.\n');
  await sleep(200);
  expect(await found(fresh, 'concorde')).toEqual([]);
  await idle(fresh);
  expect((await fresh.status()).index).toMatchObject({ documents: 3, chunks: chunks - 1 });
});

test('an index that is taken away is made again whole with the next change', async () => {
  const { fresh, at } = await watched();
  await idle(fresh);
  for (const file of readdirSync(fresh.indexPath)) rmSync(join(fresh.indexPath, file), { recursive: true });
  writeFileSync(at('bread.md'), '# Bread\n\nToday bagels.\n');
  await finds(fresh, 'bagels', ['bread.md']);
  await finds(fresh, 'mint', ['garden/herbs/mint.md']);
  expect((await fresh.status()).index.documents).toBe(3);
});

test('a moved folder keeps its vectors', async () => {
  const { fresh, at, changes } = await watched();
  const embedded: number[] = [];
  renameSync(at('garden'), at('allotment'));
  await finds(fresh, 'mint', ['allotment/herbs/mint.md']);
  embedded.push((await fresh.sync()).embedded);
  expect(embedded).toEqual([0]);
  expect(changes).toHaveLength(4);
  expect((await fresh.status()).index.stale).toBe(false);
});

test('what is ignored is not read, and a new ignore rule holds at once', async () => {
  const { fresh, at, calls } = await watched();
  writeFileSync(at('notes.bin'), 'mint');
  writeFileSync(at('.hidden.md'), 'mint');
  mkdirSync(at('node_modules/mint'), { recursive: true });
  await sleep(300);
  expect(calls).toEqual([]);
  writeFileSync(at('garden/.gitignore'), 'herbs/\n');
  await finds(fresh, 'mint', []);
  writeFileSync(at('garden/herbs/mint.md'), '# Mint\n\nMint again.\n');
  rmSync(at('garden/.gitignore'));
  await finds(fresh, 'mint', ['garden/herbs/mint.md']);
});

test('a checkout that touches hundreds of files is a handful of syncs', async () => {
  const { fresh, at, calls, vault, failures } = await watched();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: vault.folder });
  git('init', '-q', '-b', 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', 'two');
  for (let n = 0; n < 400; n++) writeFileSync(at(`garden/${n}.md`), `# Bed ${n}\n\nSame soil everywhere.\n`);
  git('add', '.');
  git('commit', '-qm', 'two');
  await vi.waitFor(async () => expect((await fresh.status()).index.documents).toBe(403), LATE);
  await idle(fresh);
  calls.length = 0;
  git('checkout', '-q', 'one');
  await vi.waitFor(async () => expect((await fresh.status()).index.documents).toBe(3), LATE);
  await idle(fresh);
  // Each reading may be followed by one call that makes vectors.
  expect(calls.length).toBeLessThanOrEqual(12);
  git('checkout', '-q', 'two');
  await vi.waitFor(async () => expect((await fresh.status()).index.documents).toBe(403), LATE);
  await idle(fresh);
  expect(await found(fresh, '"bed 399"')).toEqual(['garden/399.md']);
  expect([(await fresh.status()).index.stale, failures]).toEqual([false, []]);
}, 60_000);

test('a root that disappears is served on, told once, and followed again when it is back', async () => {
  const { fresh, vault, failures } = await watched();
  const aside = join(vault.folder, '..', 'aside');
  renameSync(vault.folder, aside);
  await vi.waitFor(() => expect(failures).toHaveLength(1), LATE);
  expect(failures[0]).toMatchObject({ code: 'not_found' });
  expect(await found(fresh, 'mint')).toEqual(['garden/herbs/mint.md']);
  await sleep(600);
  expect(failures).toHaveLength(1);
  // A mount point without its drive is an empty folder.
  mkdirSync(vault.folder);
  await vi.waitFor(() => expect(failures).toHaveLength(2), LATE);
  expect(await found(fresh, 'mint')).toEqual(['garden/herbs/mint.md']);
  rmSync(vault.folder, { recursive: true });
  renameSync(aside, vault.folder);
  writeFileSync(join(vault.folder, 'bread.md'), '# Bread\n\nBagels.\n');
  await finds(fresh, 'bagels', ['bread.md']);
  writeFileSync(join(vault.folder, 'bread.md'), '# Bread\n\nPretzels.\n');
  await finds(fresh, 'pretzels', ['bread.md']);
});

test('one of two roots that goes and comes back is followed again as soon as a single root', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  const other = join(vault.folder, '..', 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'mint.md'), '# Mint\n\nMint spreads.\n');
  const index = await vault.open({ roots: [vault.folder, other] });
  const fresh = keepFresh(index, { everyMs: 200, patienceMs: LATE.timeout });
  onTestFinished(() => fresh.close());
  await fresh.sync();
  await idle(fresh);
  renameSync(other, `${other}-aside`);
  // Nobody asks for a comparison meanwhile: what the system tells of one root is all there is.
  await sleep(600);
  renameSync(`${other}-aside`, other);
  writeFileSync(join(other, 'mint.md'), '# Mint\n\nPeppermint.\n');
  await finds(fresh, 'peppermint', ['mint.md']);
  writeFileSync(join(other, 'mint.md'), '# Mint\n\nSpearmint.\n');
  await finds(fresh, 'spearmint', ['mint.md']);
});

test('a root that is back is read at once, also right after a sync that missed it', async () => {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  const other = join(vault.folder, '..', 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'mint.md'), '# Mint\n\nMint spreads.\n');
  const fresh = keepFresh(await vault.open({ roots: [vault.folder, other] }), {
    patienceMs: LATE.timeout,
  });
  onTestFinished(() => fresh.close());
  await fresh.sync({ embed: false });
  for (const word of ['spearmint', 'peppermint', 'catmint']) {
    renameSync(other, `${other}-aside`);
    await fresh.sync({ embed: false });
    renameSync(`${other}-aside`, other);
    writeFileSync(join(other, 'mint.md'), `# Mint\n\n${word}\n`);
    await fresh.sync({ embed: false });
    expect(await found(fresh, word)).toEqual(['mint.md']);
  }
});

test('a linked file is read under its own path only, also when it alone has changed', async () => {
  const { fresh, at } = await watched();
  symlinkSync(at('bread.md'), at('garden/link.md'));
  writeFileSync(at('bread.md'), '# Bread\n\nCiabatta.\n');
  await finds(fresh, 'ciabatta', ['bread.md']);
  rmSync(at('garden/link.md'));
  writeFileSync(at('bread.md'), '# Bread\n\nRye.\n');
  await finds(fresh, 'rye', ['bread.md']);
});

test('what the system did not tell is found by the next comparison', async () => {
  const { vault, fresh } = await kept(NOTES, { reconcileMs: 300 });
  // As when events are lost: nobody listens.
  fresh.watch({ onChange: () => {} });
  await fresh.sync();
  vault.write('bread.md', '# Bread\n\nBaguette.\n');
  await finds(fresh, 'baguette', ['bread.md']);
});

test('a save is found by words while vectors of many others are still being made', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, n) => [
      `${n}.md`,
      `# Note ${n}\n\n${Array.from({ length: 150 }, (_, word) => `w${(n * word) % 977}`).join(' ')}\n`,
    ]),
  );
  const { vault, fresh } = await kept(many);
  await vi.waitFor(() => expect(fresh.activity().state).toBe('embedding'), LATE);
  writeFileSync(join(vault.folder, '7.md'), '# Note 7\n\nQuicksilver.\n');
  await finds(fresh, 'quicksilver', ['7.md']);
  expect((await fresh.status()).index.stale).toBe(true);
}, 60_000);
