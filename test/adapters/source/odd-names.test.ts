import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFolderSource } from '../../../src/adapters/source/folder-source.ts';
import { listed } from '../../contracts/source-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.skipIf(process.platform !== 'linux')('a name that is not UTF-8 is said to be that', async () => {
  const root = temporaryFolder({ 'a.md': 'x' });
  const named = (name: string) => Buffer.concat([Buffer.from(`${root}/${name}`), Buffer.of(0xff)]);
  writeFileSync(Buffer.concat([named('b'), Buffer.from('.md')]), 'x');
  mkdirSync(named('folder'));
  const { files, skipped } = await listed(createFolderSource({ root }));
  expect(files.map(({ path }) => path)).toEqual(['a.md']);
  const detail = 'its name is not UTF-8';
  expect(skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'b\ufffd.md', reason: 'unreadable', detail },
    { path: 'folder\ufffd', reason: 'unreadable', detail },
  ]);
});
