/** Links and communities from files to the answer. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { createLiveLinks } from '../../src/core/graph/live-links.ts';
import { createCatalog } from '../../src/core/indexes/catalog.ts';
import type { Link } from '../../src/core/model/document.ts';
import { open } from '../../src/engine/open.ts';
import { communitiesNow } from '../../src/engine/workspace/communities.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Two rings of notes, joined by one link. */
const NOTES = Object.fromEntries(
  ['apple', 'banana', 'cherry', 'dog', 'eagle', 'fox'].map((name, index) => {
    const ring = index < 3 ? ['apple', 'banana', 'cherry'] : ['dog', 'eagle', 'fox'];
    return [name, `# The ${name}\n\nText. ${ring.map((other) => `[[${other}]]`).join(' ')}\n`];
  }),
);

async function vault(notes: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  for (const [name, text] of Object.entries(notes)) await writeFile(join(root, `${name}.md`), text);
  return { root, options: { roots: [root], indexPath: join(await temporaryFolder(), 'index') } };
}

describe('links', () => {
  it('are told by status: unresolved ones, communities, the same each time', async () => {
    const notes = { ...NOTES, apple: `${NOTES.apple}\n[[dog]] [[gone]] ![[photo.png]]\n` };
    const { options } = await vault(notes);
    await using index = await open(options);
    await index.sync({ embed: false });
    const { unresolvedLinks, communities } = await index.status();
    expect(unresolvedLinks).toMatchObject({ count: 1, examples: [{ line: 5, target: 'gone' }] });
    expect(communities).toEqual({
      count: 2,
      largest: [
        { documents: 3, titles: ['The apple', 'The banana', 'The cherry'] },
        { documents: 3, titles: ['The dog', 'The eagle', 'The fox'] },
      ],
    });
    await index.sync({ embed: false, rebuild: true });
    expect((await index.status()).communities).toEqual(communities);
  });

  it('lead to the definition of their name in the same file, else to the name', async () => {
    const notes = {
      'note one': '',
      gone: '',
      start: '[[publishing]] [[gone]]\n\n[publishing]: <note one.md> "One"\n[gone]: old/gone.md\n',
    };
    const { options } = await vault(notes);
    await using index = await open(options);
    await index.sync({ embed: false });
    expect(await index.status()).toMatchObject({ links: 2, unresolvedLinks: { count: 0 } });
  });

  it('follow the files: what one sync after another finds equals a new index', async () => {
    const { root, options } = await vault(NOTES);
    const { options: other } = await vault({});
    await using index = await open(options);
    await index.sync({ embed: false });
    await rm(join(root, 'fox.md'));
    await writeFile(join(root, 'banana.md'), '# B\n\n[[dog]] [[eagle]] [[later]]');
    await index.sync({ embed: false });
    await writeFile(join(root, 'later.md'), '');
    await index.sync({ embed: false });
    await writeFile(join(root, 'later.md'), 'now with text');
    await index.sync({ embed: false });
    const { links, unresolvedLinks, communities } = await index.status();
    await using fresh = await open({ ...other, roots: [root] });
    await fresh.sync({ embed: false });
    const expected = await fresh.status();
    expect(links).toBe(expected.links);
    expect(unresolvedLinks.count).toBe(2);
    expect({ ...unresolvedLinks, examples: 0 }).toEqual({ ...expected.unresolvedLinks, examples: 0 });
    expect(communities).toEqual(expected.communities);
  });

  it('of documents that were replaced count no more when a sync is stopped, and other handles see it', async () => {
    const { root, options } = await vault({ ...NOTES, bread: '# Bread\n\nKnead the dough. [[oven]]' });
    await writeFile(join(root, 'oven.md'), '# Oven\n\nIt is hot.\n');
    await using index = await open(options);
    await using reader = await open(options);
    await index.sync({ embed: false });
    const ask = async () => {
      const { hits } = await reader.search('knead dough', { minConfidence: 0, topN: 20 });
      return hits.map(({ path }) => path);
    };
    expect(await ask()).toEqual(['bread.md', 'oven.md']);
    await writeFile(join(root, 'bread.md'), '# Bread\n\nKnead the dough no longer. [[apple]]');
    await writeFile(join(root, 'cherry.md'), '# Cherry\n\nNo links.');
    const controller = new AbortController();
    const stopped = index.sync({
      embed: false,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await ask()).toEqual(['bread.md', 'apple.md']);
  });

  it('find files whose names look like syntax, differ in case or are ambiguous, and take folders', async () => {
    const names = ['C#', 'a|b', 'two words', 'Caf\u00e9', 'UPPER', 'x/same', 'y/z/same', 'folder/index'];
    const root = await temporaryFolder();
    for (const folder of ['x', 'y/z', 'folder']) await mkdir(join(root, folder), { recursive: true });
    for (const name of names) await writeFile(join(root, `${name}.md`), `# Page ${names.indexOf(name)}`);
    const links = [
      '[[C#]]',
      '[[a|b]]',
      '[two](two%20words.md)',
      '[[cafe\u0301]]',
      '[[upper]]',
      '[[Same]]',
      '[f](folder/)',
    ];
    await writeFile(join(root, 'start.md'), `# Start\n\nA lantern. ${links.join(' ')} [[start]]\n`);
    const indexPath = join(await temporaryFolder(), 'index');
    await using index = await open({ roots: [root], indexPath });
    await index.sync({ embed: false });
    expect((await index.status()).unresolvedLinks.count).toBe(0);
    const { hits } = await index.search('lantern', { minConfidence: 0, topN: 20 });
    const wanted = ['start', ...names.filter((name) => name !== 'y/z/same')].map((name) => `${name}.md`);
    expect(hits.map(({ path }) => path.normalize('NFC')).sort()).toEqual(wanted.sort());
  });

  it('are looked for in communities only when links have changed', async () => {
    const { root, options } = await vault(NOTES);
    await using index = await open(options);
    await index.sync({ embed: false });
    const { communities } = await index.status();
    const store = openSqliteStore(join(options.indexPath, 'index.sqlite'));
    const mark = { ...store.getState('communities')!, members: [] };
    store.setState({ communities: mark });
    await writeFile(join(root, 'fox.md'), `${NOTES.fox}\nAn afterthought.\n`);
    expect(await index.sync({ embed: false })).toMatchObject({ changed: 1 });
    expect(store.getState('communities')).toEqual(mark);
    await writeFile(join(root, 'fox.md'), `${NOTES.fox}\n[[apple]]\n`);
    await index.sync({ embed: false });
    store.close();
    expect((await index.status()).communities?.count).toBe(communities?.count);
  });

  it('are found again when the rules they were found by are no longer those of now', async () => {
    const { options } = await vault(NOTES);
    const first = await open(options);
    await first.sync({ embed: false });
    const { communities, unresolvedLinks } = await first.status();
    const { linked } = await first.related('apple.md');
    const { edges } = await first.graph();
    await first.close();
    const store = openSqliteStore(join(options.indexPath, 'index.sqlite'));
    const others = { linkEdges: { linked: [1, 2, 1, 1], broken: [] }, linksSource: '3 made by other rules' };
    store.setState({ ...others, communities: { edges: '', members: [] } });
    store.close();
    await using second = await open(options);
    expect((await second.graph()).edges).toEqual(edges);
    expect((await second.related('apple.md')).linked).toEqual(linked);
    expect((await second.status()).unresolvedLinks).toEqual(unresolvedLinks);
    await second.sync({ embed: false });
    expect((await second.status()).communities).toEqual(communities);
    expect((await second.related('apple.md')).linked).toEqual(linked);
  });

  it('of files that were just read are known before they are saved', async () => {
    const { root, options } = await vault({ ...NOTES, pear: '# Pear\n\n[[plum]] [[plum]]\n' });
    await using index = await open(options);
    await index.sync({ embed: false });
    const of = async (path: string) => {
      const { document, linked } = await index.related(path);
      return [document.linksOut, document.linksIn, linked.map((other) => other.path)];
    };
    expect(await of('pear.md')).toEqual([0, 0, []]);
    expect((await index.status()).unresolvedLinks.count).toBe(2);
    const only = [`${basename(root)}/plum.md`];
    await writeFile(join(root, 'plum.md'), '# Plum\n\n[[fox]] [[gone]]\n');
    await index.sync({ embed: false, only });
    expect(await of('pear.md')).toEqual([2, 0, ['plum.md']]);
    expect(await of('plum.md')).toEqual([1, 2, ['pear.md', 'fox.md']]);
    const { unresolvedLinks } = await index.status();
    expect(unresolvedLinks).toEqual({
      count: 1,
      examples: [{ path: expect.any(String), line: 3, target: 'gone' }],
    });
    expect((await index.audit()).brokenLinks.shown).toMatchObject([{ path: 'plum.md', target: 'gone' }]);
    // Nobody has saved these links yet, and another handle has not followed them.
    await using other = await open(options);
    const tell = async (asked: typeof index) => [(await asked.list()).documents, await asked.audit()];
    expect(await tell(other)).toEqual(await tell(index));
  });

  it.each(['linksSource', 'linkEdges', 'communities'])(
    'survive the loss of what is saved: %s',
    async (fact) => {
      const { options } = await vault({ ...NOTES, apple: `${NOTES.apple}\n[[gone]]\n` });
      const told = async () => {
        await using index = await open(options);
        const { unresolvedLinks, communities } = await index.status();
        const { documents } = await index.list();
        const related = await index.related('apple.md');
        return [unresolvedLinks, communities, documents, related, await index.graph(), await index.audit()];
      };
      const first = await open(options);
      await first.sync({ embed: false });
      await first.close();
      const whole = await told();
      const database = new DatabaseSync(join(options.indexPath, 'index.sqlite'));
      database.prepare('DELETE FROM meta WHERE key = ?').run(fact);
      database.close();
      expect(await told()).toEqual(whole);
    },
  );

  it('are not read to tell status and lists', async () => {
    const { options } = await vault(NOTES);
    const first = await open(options);
    await first.sync({ embed: false });
    const told = async (index: typeof first) => {
      const { unresolvedLinks, communities } = await index.status();
      return [(await index.list()).documents, unresolvedLinks, communities];
    };
    const whole = await told(first);
    await first.close();
    const database = new DatabaseSync(join(options.indexPath, 'index.sqlite'));
    database.exec('DELETE FROM links');
    database.close();
    await using second = await open(options);
    expect(await told(second)).toEqual(whole);
    await expect(second.related('apple.md')).rejects.toMatchObject({ code: 'index_damaged' });
  });

  it('of a hub, 10,000 of them, are indexed, told and followed without delay', async () => {
    const leaves = 500;
    const all = Array.from({ length: 10_000 }, (_, i) => `[[leaf ${i % leaves}|${i}]]`);
    const notes = Object.fromEntries(
      Array.from({ length: leaves }, (_, i) => [`leaf ${i}`, `# Leaf ${i}\n\nPage ${i}, see [[HUB]].\n`]),
    );
    const { options } = await vault({ ...notes, hub: `# Hub\n\nA lantern.\n\n${all.join(' ')}\n` });
    await using index = await open(options);
    const began = process.cpuUsage();
    await index.sync({ embed: false });
    const { links, unresolvedLinks, communities } = await index.status();
    expect({ links, unresolved: unresolvedLinks.count }).toEqual({ links: 10_500, unresolved: 0 });
    expect(communities).toMatchObject({ count: 1, largest: [{ documents: leaves + 1 }] });
    const { hits } = await index.search('lantern', { minConfidence: 0, topN: 100 });
    expect(hits[0]?.path).toBe('hub.md');
    expect(hits).toHaveLength(100);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000);
  }, 60_000);

  it('of a hub to 10,000 documents are one community, found in time', () => {
    const live = createLiveLinks();
    const catalog = createCatalog();
    for (let number = 0; number <= 10_000; number += 1) {
      const path = `${number}.md`;
      const links: Link[] = number === 0 ? [] : [{ kind: 'wikilink', target: '0', line: 1 }];
      const document = { number, collection: 'c', path, title: path, aliases: [] };
      live.put(document, links);
      catalog.addDocument({ ...document, id: `c/${path}`, tags: [], modified: 0, frontMatter: {} }, []);
    }
    const began = process.cpuUsage();
    const [community, ...others] = communitiesNow(live.graph().pairs(), catalog);
    expect([community?.length, others]).toEqual([10_001, []]);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3_000);
  }, 20_000);
});
