/** The check of all rows. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleDocument } from './sample.ts';

it('does not keep the rows it has checked in memory', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  for (let n = 0; n < 32; n++)
    store.putDocument(sampleDocument(`${n}.md`, [`${n} ${'sail '.repeat(400_000)}`]));
  store.close();
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const check = `import { openSqliteStore } from ${url('../../../src/adapters/store/sqlite-store.ts')};
    console.log(openSqliteStore(process.argv[1], { readOnly: true }).problems());`;
  // The texts take 64 MB.
  const limited = ['--max-old-space-size=48', '--input-type=module', '--eval', check, file];
  expect(execFileSync(process.execPath, limited, { encoding: 'utf8' })).toBe('[]\n');
});
