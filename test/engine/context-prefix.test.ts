/** Rows and items far below their header are found by its words, also once an index of a former reader is read again. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { defineRowChecksum } from '../support/make-older.ts';
import { createVault } from './vault.ts';

const towns = ['Aachen', 'Bremen', 'Cottbus', 'Dresden', 'Erfurt', 'Freiburg', 'Goslar', 'Husum'];
const rows = Array.from(
  { length: 48 },
  (_, row) => `| ${towns[row % 8]} ${row} | ${row * 37 + 100} | open on working days only |\n`,
).join('');
const FILES = {
  'towns.md': `# Offices\n\nAll of them, as of today.\n\n| place | population | remark |\n|---|---|---|\n${rows}`,
  'census.md': '# Census\n\nThe population of a country is counted every ten years.\n',
};
const COLUMNS = 'slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks';

/** Lines of the passages of the table that a search finds. */
async function linesOf(index: Index, query: string) {
  const { hits } = await index.search(query, { mode: 'keyword', minConfidence: 0, parents: false });
  const lines = hits.filter(({ path }) => path === 'towns.md').map((hit) => [hit.startLine, hit.endLine]);
  return lines.sort((a, b) => a[0]! - b[0]!);
}

test('a row of the second passage of a table is found by a word of the header, which is not shown', async () => {
  const index = await createVault(FILES).open();
  await index.sync({ embed: false });
  const { hits } = await index.search('"Husum 47" population', {
    mode: 'keyword',
    minConfidence: 0,
    parents: false,
  });
  expect(hits).toHaveLength(1);
  const [hit] = hits;
  expect(hit).toMatchObject({ path: 'towns.md', endLine: 54 });
  expect(hit!.startLine).toBeGreaterThan(20);
  expect(hit!.text).not.toContain('population');
  expect(hit!.snippet.text).toContain('Husum 47');
  expect(hit!.snippet.text).not.toContain('population');
  expect(hit!.text.split('\n')[0]).toBe(FILES['towns.md'].split('\n')[hit!.startLine - 1]);
});

test('an index of a former reader goes on, and the next run embeds only what a header was added to', async () => {
  const vault = createVault(FILES);
  const now = await vault.open();
  expect(await now.sync()).toMatchObject({ added: 2, embedded: 3 });
  const found = await linesOf(now, 'population');
  expect(found).toHaveLength(2);
  await now.close();
  toFormerReader(join(vault.indexPath, 'index.sqlite'));

  const later = await vault.open();
  expect(await linesOf(later, 'population')).toEqual([found[0]]);
  expect((await later.check()).filter(({ state }) => state === 'failure')).toEqual([]);
  expect(await later.sync()).toMatchObject({ changed: 2, embedded: 1 });
  expect(await linesOf(later, 'population')).toEqual(found);
  expect(await later.sync()).toMatchObject({ changed: 0, unchanged: 2, embedded: 0 });
});

/** Makes an index what a reader without context prefixes would have made, whatever its number. */
function toFormerReader(file: string): void {
  const database = new DatabaseSync(file);
  defineRowChecksum(database);
  database.exec(`
    UPDATE passages SET key = 'without prefix ' || number WHERE number IN
      (SELECT passage FROM chunks JOIN chunk_bodies USING (slot) WHERE lead IS NOT NULL);
    UPDATE chunk_bodies SET lead = NULL, checksum = row_checksum(${COLUMNS}, NULL);
    DELETE FROM segments;
    UPDATE meta SET value = json_quote(replace(value ->> '$', '"reader":', '"reader":1')) WHERE key = 'fingerprint';
    UPDATE meta SET checksum = row_checksum(key, value)`);
  database.close();
}
