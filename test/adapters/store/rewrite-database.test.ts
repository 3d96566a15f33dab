/** What is deleted is overwritten; what SQLite leaves all the same is gone once the database is written afresh. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rewriteDatabase } from '../../../src/adapters/store/renew-database.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { randomNumbers } from '../../../src/core/evaluate/statistics.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleDocument } from './sample.ts';

test('of two thousand texts that came and went some ten traces are left, then none', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'index.sqlite');
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  const random = randomNumbers(7);
  const live = new Map<number, string>();
  for (let n = 0; n < 2_000; n++) {
    const mark = `mark${String(n).padStart(5, '0')}`;
    const texts = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) =>
      `${mark} soup ${i} `.repeat(1 + Math.floor(random() * 80)),
    );
    const document = sampleDocument(`${Math.floor(random() * 1e6)}.md`, texts);
    const links = document.links.map((link) => ({ ...link, target: mark, label: mark }));
    const { number } = store.putDocument({
      ...document,
      fields: { ...document.fields, title: mark },
      links,
      vectorKeys: texts.map((_, i) => `${n}-${i}`),
    });
    live.set(number, mark);
    if (live.size < 500) continue;
    const numbers = [...live.keys()];
    const gone = numbers[Math.floor(random() * numbers.length)]!;
    store.removeDocument(gone);
    live.delete(gone);
  }
  const traces = () => {
    store.truncateLog();
    const marks = readdirSync(folder).flatMap(
      (name) => readFileSync(join(folder, name), 'latin1').match(/mark\d{5}/g) ?? [],
    );
    return new Set(marks).difference(new Set(live.values())).size;
  };
  expect(traces()).toBeLessThan(30);
  await rewriteDatabase(file);
  expect(traces()).toBe(0);
  expect(store.problems()).toEqual([]);
  expect([...store.documents()].map(({ fields }) => fields.title)).toEqual([...live.values()]);
});
