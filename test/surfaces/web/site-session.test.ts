/** The session of an exported page: when it opens the export again. */
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DocumentText, ReadOptions } from '../../../src/engine/documents/documents-api.ts';
import { open } from '../../../src/engine/open.ts';
import { fromWire } from '../../../src/surfaces/operations/wire.ts';
import { createSiteSession } from '../../../src/surfaces/web/site/site-session.ts';
import { createPlayground } from '../cli/docfuse.ts';
import { NOTES } from './notes.ts';
import { serveFiles } from './serve-files.ts';

test('a question that fails late does not close what another question has opened', async () => {
  using playground = createPlayground(NOTES);
  const { code, stderr } = await playground.run(['export', 'site', 'notes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const site = join(playground.folder, 'site');
  const { data } = JSON.parse(readFileSync(join(site, 'start.json'), 'utf8')) as { data: string };
  await using files = await serveFiles(site);
  const session = createSiteSession(files.url);
  for (const name of ['tags', 'links']) renameSync(join(site, data, name), join(site, data, `${name}-away`));
  const late = session.ask('/api/related', { document: 'notes/backup.md' });
  expect(await session.ask('/api/tags', {})).toMatchObject({ problem: { code: 'away' } });
  const again = session.ask('/api/collections', {});
  expect(await late).toMatchObject({ problem: { code: 'away' } });
  expect(await again).toHaveProperty('answer');
  expect(await session.ask('/api/collections', {})).toHaveProperty('answer');
  expect(files.asked.filter((path) => path === '/start.json')).toHaveLength(3); // at first, for the tags once more, and for the collections
});

/** Text, code and lists, with lines that are cut into several passages. */
const PARTS = Array.from({ length: 300 }, (_, number) => {
  const code = Array.from(
    { length: number % 90 },
    (_, line) => `# Part ${line}\nconst value${line} = ${number};`,
  );
  const kinds = [
    `## Part ${number % 40}\n\nWhat part ${number} says about lanterns and boats.`,
    `\`\`\`ts\n${code.join('\n')}\n\`\`\``,
    `- ${'A long item. '.repeat(number)}\n- A short one.`,
  ];
  return kinds[number % 3]!;
});
const LONG = `---\ntags: [long]\n---\n\n\n# Long\n\n${PARTS.join('\n\n')}\n`;

test('reads the same lines as an index does, and of a long document only some files', async () => {
  using playground = createPlayground({ ...NOTES, 'notes/long.md': LONG, 'notes/empty.md': '' });
  const { code, stderr } = await playground.run(['export', 'site', 'notes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await using files = await serveFiles(join(playground.folder, 'site'));
  await using index = await open({
    roots: [join(playground.folder, 'notes')],
    indexPath: join(playground.folder, 'twin'),
  });
  await index.sync({ embed: false });
  const { documents } = await index.list({ limit: 100 });
  const read = async (document: string, lines: object, session = createSiteSession(files.url)) => {
    const outcome = await session.ask('/api/documents/{document}', { document, ...lines });
    return outcome?.answer ? pick(fromWire(outcome.answer)) : outcome;
  };
  const pick = ({ text, startLine, endLine, lastLine, truncated, fence }: Partial<DocumentText>) => ({
    ...{ text, startLine, endLine, lastLine, truncated, fence },
  });
  const session = createSiteSession(files.url);
  for (const { documentId } of documents)
    expect(await read(documentId, {}, session)).toEqual(pick(await index.read(documentId)));
  const { lastLine } = await index.read('notes/long.md');
  for (let from = 6; from <= lastLine; from += 211) {
    for (const more of [{}, { max_chars: 900 }, { end_line: Math.min(lastLine, from + 70) }]) {
      const options = fromWire({ start_line: from, ...more }) as ReadOptions;
      const wanted = pick(await index.read('notes/long.md', options));
      expect(await read('notes/long.md', { start_line: from, ...more }, session)).toEqual(wanted);
    }
  }
  const section = await index.read('notes/long.md#part-9-1');
  expect(await read('notes/long.md#part-9-1', {}, session)).toMatchObject({ startLine: section.startLine });
  files.asked.length = 0;
  await read('notes/long.md', { start_line: 3000, max_chars: 400 });
  const texts = files.asked.filter((path) => path.includes('/texts'));
  const { data } = JSON.parse(readFileSync(join(playground.folder, 'site/start.json'), 'utf8'));
  const all = readdirSync(join(playground.folder, 'site', data, 'texts'));
  expect(texts.length * 4).toBeLessThan(all.length);
}, 60_000);

test('a question after a new export finds its files, and one for a language is answered in words', async () => {
  using playground = createPlayground(NOTES);
  const run = async () => {
    const { code, stderr } = await playground.run(['export', 'site', 'notes']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  };
  await run();
  await using files = await serveFiles(join(playground.folder, 'site'));
  const session = createSiteSession(files.url);
  expect(await session.ask('/api/collections', {})).toHaveProperty('answer');
  playground.write({ 'notes/new.md': '# New\n\nA quokka of jade.\n' });
  await run();
  const found = await session.ask('/api/search', { query: 'quokka' });
  expect(found).toMatchObject({ answer: { hits: [{ path: 'new.md' }] } });
  const byLanguage = await session.ask('/api/search', { query: 'lang:json quokka' });
  const notice = expect.stringContaining('does not know the languages of code');
  expect(byLanguage).toMatchObject({ answer: { hits: [], notice } });
});
