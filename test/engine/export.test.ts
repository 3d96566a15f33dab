/** An export while the index changes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeTexts } from '../../src/core/fragments/text-fragment.ts';
import { placeOfIndex } from '../../src/engine/open.ts';
import { createVault } from './vault.ts';

const COUNT = 400;
const noteOf = (number: number) => `# Note ${number}\n\n${`Text of ${number}. `.repeat(60)}\n`;

/** Returns the path and the text of each exported passage. */
function passagesIn(site: string): readonly (readonly [path: string, text: string])[] {
  const data = readdirSync(site).find((name) => name.startsWith('data-'))!;
  return readdirSync(join(site, data, 'texts')).flatMap((name) => {
    const bytes = inflateRawSync(readFileSync(join(site, data, 'texts', name)));
    const { documents, passages } = decodeTexts(bytes);
    return passages.map(
      ({ document, text }) => [documents.find(({ number }) => number === document)!.path, text] as const,
    );
  });
}

test('an export shows the index as it was when it began, while another process changes it', async () => {
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const vault = createVault(Object.fromEntries(numbers.map((each) => [`${each}.md`, noteOf(each)])));
  const index = await vault.open();
  await index.sync({ embed: false });
  const site = join(vault.folder, '..', 'site');
  const exporting = index.export(site);
  await nextTurn(); // the export has done its first part
  expect(existsSync(site)).toBe(false);
  const store = placeOfIndex(vault.indexPath).open();
  for (const { number, path } of [...store.documents()]) if (path.includes('3')) store.removeDocument(number);
  store.setState({ generation: store.getState('generation')! + 1 });
  store.close();
  expect(await exporting).toMatchObject({ documents: COUNT });
  const passages = passagesIn(site);
  expect(new Set(passages.map(([path]) => path)).size).toBe(COUNT);
  for (const [path, text] of passages) {
    expect({ path, text }).toEqual({
      path,
      text: expect.stringContaining(` of ${Number.parseInt(path, 10)}.`),
    });
  }
  const { documents } = await index.export(site);
  expect(documents).toBeLessThan(COUNT);
  expect(new Set(passagesIn(site).map(([path]) => path)).size).toBe(documents);
});
