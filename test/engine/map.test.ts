/** The map: places of linked documents, computed once, saved with the index, and kept when links change a little. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { factTable } from '../../src/adapters/store/state-table.ts';
import type { DocumentMap } from '../../src/engine/documents/documents-api.ts';
import { open } from '../../src/engine/open.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Rings of notes, each note linked with the next two of its ring; one link joins a ring to the next one. */
function rings(count: number, size: number): Record<string, string> {
  const name = (ring: number, at: number) => `ring${ring % count}-${at % size}`;
  return Object.fromEntries(
    Array.from({ length: count * size }, (_, each) => {
      const [ring, at] = [Math.floor(each / size), each % size];
      const next = [name(ring, at + 1), name(ring, at + 2), ...(at === 0 ? [name(ring + 1, 0)] : [])];
      return [name(ring, at), `# Note ${at} of ring ${ring}\n\n${next.map((to) => `[[${to}]]`).join(' ')}\n`];
    }),
  );
}

async function vault(notes: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  const write = (name: string, text: string) => writeFile(join(root, `${name}.md`), text);
  for (const [name, text] of Object.entries(notes)) await write(name, text);
  const options = { roots: [root], indexPath: join(await temporaryFolder(), 'index') };
  const file = join(options.indexPath, 'index.sqlite');
  return { root, write, options, file };
}

const placesOf = ({ documents: { ids, x, y } }: DocumentMap) =>
  new Map(ids.map((id, at) => [id.slice(id.indexOf('/') + 1), [x[at]!, y[at]!] as const]));
const radiusOf = ({ documents: { x, y } }: DocumentMap) =>
  Math.max(...x.map((each, at) => Math.hypot(each, y[at]!)));

test('has linked documents in columns, the most linked first, and its communities by name', async () => {
  const { options } = await vault({
    ...rings(3, 6),
    hub: '# Hub\n\n[[ring0-1]] [[ring0-2]]\n',
    alone: '# Alone\n',
  });
  await using index = await open(options);
  await index.sync({ embed: false });
  const map = await index.map();
  const { ids, titles, neighbours, communities, x, y } = map.documents;
  expect(new Set([ids, titles, neighbours, communities, x, y].map(({ length }) => length))).toEqual(
    new Set([19]),
  );
  expect(map).toMatchObject({ total: 19, unlinked: 1, isFinal: true });
  expect(neighbours).toEqual([...neighbours].sort((a, b) => b - a));
  expect(map.communities.map(({ documents }) => documents)).toEqual([7, 6, 6]);
  for (const [number, { documentId, title }] of map.communities.entries()) {
    const first = communities.indexOf(number);
    expect([documentId, title]).toEqual([ids[first], titles[first]]);
  }
  // The links are those of `graph`.
  const { edges } = await index.graph();
  const { sources, targets } = map.links;
  const pairs = sources.map((source, at) => [ids[source]!, ids[targets[at]!]!].sort());
  expect(pairs.sort()).toEqual(edges.map(({ source, target }) => [source, target]).sort());
  // A filter takes documents away and moves none.
  const some = await index.map({ filters: { exclude: ['ring1-*'] }, limit: 10 });
  expect(some).toMatchObject({ total: 13, unlinked: 1, isFinal: true });
  expect(some.documents.ids).toHaveLength(10);
  for (const [id, place] of placesOf(some)) expect(placesOf(map).get(id)).toEqual(place);
});

test('an index without links, and one without documents, have an empty map', async () => {
  for (const notes of [{ one: '# One\n' }, {}] as const) {
    const { options } = await vault(notes);
    await using index = await open(options);
    const unlinked = Object.keys(notes).length;
    if (unlinked > 0) await index.sync({ embed: false });
    expect(await index.map()).toMatchObject({ total: 0, unlinked, isFinal: true, communities: [] });
  }
});

test('without waiting there are rough places first; the computed ones are saved and the same for equal links', async () => {
  const notes = rings(4, 8);
  const [one, other] = [await vault(notes), await vault(notes)];
  const first = await open(one.options);
  await first.sync({ embed: false });
  const rough = await first.map({ wait: false });
  const map = await first.map();
  expect(rough.isFinal).toBe(false);
  expect(rough.documents.ids).toEqual(map.documents.ids);
  expect(rough.documents.x).not.toEqual(map.documents.x);
  expect(await first.map({ wait: false })).toEqual(map);
  await first.close();
  // Nothing is computed here: there would be rough places.
  await using again = await open(one.options);
  expect(await again.map({ wait: false })).toEqual(map);
  await using second = await open(other.options);
  await second.sync({ embed: false });
  expect([...placesOf(await second.map()).values()]).toEqual([...placesOf(map).values()]);
});

test('a change of a few links keeps the picture, and names of removed documents do not stay', async () => {
  const { root, write, options, file } = await vault({ ...rings(4, 10), newcomer: '# Newcomer\n' });
  await using index = await open(options);
  await index.sync({ embed: false });
  const before = await index.map();
  await write('newcomer', '# Newcomer\n\n[[ring1-3]] [[ring1-4]]\n');
  await rm(join(root, 'ring2-5.md'));
  await index.sync({ embed: false });
  const store = openSqliteStore(file);
  expect(store.getState('layout')!.ids.join()).not.toContain('ring2-5');
  expect((await index.map({ wait: false })).isFinal).toBe(false);
  const after = await index.map();
  await expect.poll(() => store.getState('layout')?.ids.join()).toContain('newcomer');
  store.close();
  const [was, is] = [placesOf(before), placesOf(after)];
  const moved = [...is]
    .filter(([id]) => was.has(id))
    .map(([id, [x, y]]) => Math.hypot(x - was.get(id)![0], y - was.get(id)![1]));
  expect(moved).toHaveLength(39);
  expect(moved.reduce((sum, each) => sum + each) / moved.length).toBeLessThan(radiusOf(before) * 0.15);
  const [x, y] = is.get('newcomer.md')!;
  const [u, v] = is.get('ring1-3.md')!;
  expect(Math.hypot(x - u, y - v)).toBeLessThan(radiusOf(before) * 0.5);
});

test('the map changes neither status nor checks, and damaged places are computed again', async () => {
  const { options, file } = await vault(rings(2, 6));
  const first = await open(options);
  await first.sync({ embed: false });
  const told = async (index: typeof first) => {
    const checks = (await index.check()).map(({ name, state }) => [name, state]);
    const { bytes: _, ...status } = await index.status();
    return { status, checks };
  };
  const before = await told(first);
  const map = await first.map();
  expect(await told(first)).toEqual(before);
  await first.close();
  const store = openSqliteStore(file);
  store.setState({ layout: { edges: 'of other links', ids: [], places: [] } });
  store.close();
  await using second = await open(options);
  expect(await second.map()).toEqual(map);
  expect(await told(second)).toEqual(before);
});

test('closing stops the computing', async () => {
  const { options } = await vault(rings(40, 30));
  const index = await open(options);
  await index.sync({ embed: false });
  const waiting = index.map();
  await index.close();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});

test('a map that fails at once fails once, though its caller gives up later', async () => {
  const { options, file } = await vault(rings(2, 6));
  await using index = await open(options);
  await index.sync({ embed: false });
  const other = new DatabaseSync(file);
  factTable(other).set('communities', 'no JSON');
  other.close();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const gone = new AbortController();
  await expect(index.map({ signal: gone.signal })).rejects.toThrow('no JSON');
  gone.abort(new Error('The caller gave up.'));
  await setImmediate();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
