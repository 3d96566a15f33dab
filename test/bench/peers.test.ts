import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PeerFigures, withTable } from '../../bench/peers/speed-table.ts';
import { projectPaths, readProjectFile } from '../repo/project-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('engines are measured in turn, and one that is not installed is named', () => {
  const folder = temporaryFolder();
  const out = join(folder, 'engines.json');
  const few = ['--documents', '20', '--vectors', '2000', '--runs', '2', '--queries', '25', '--out', out];
  const only = ['--only', 'docfuse,SQLite FTS5,MiniSearch,float32 loop'];
  const printed = execFileSync(process.execPath, ['bench/peers/run.ts', ...few, ...only], {
    encoding: 'utf8',
  });
  expect(printed).toContain('| SQLite FTS5 | × ');
  const { words, vectors }: PeerFigures = JSON.parse(readFileSync(out, 'utf8'));
  const isThere = existsSync('bench/peers/node_modules/minisearch');
  expect(words.map(({ name }) => name)).toEqual([
    'docfuse',
    'SQLite FTS5',
    ...(isThere ? ['MiniSearch'] : []),
  ]);
  expect(printed.includes('MiniSearch is left out: minisearch is not installed')).toBe(!isThere);
  expect(vectors.map(({ name, recall }) => [name, recall])).toEqual([
    ['docfuse', 1],
    ['float32 loop', 1],
  ]);
  for (const { units, p50, p95, buildSeconds } of [...words, ...vectors]) {
    expect(units).toBeGreaterThan(20);
    expect(p95).toBeGreaterThanOrEqual(p50);
    expect(Math.min(p50, buildSeconds)).toBeGreaterThan(0);
  }
});

test('the page of speed has the tables of the latest figures', () => {
  const latest = projectPaths().findLast((path) => path.startsWith('bench/results/engines-'))!;
  const figures: PeerFigures = JSON.parse(readProjectFile(latest));
  const page = readProjectFile('docs/explain/speed.md');
  expect(withTable(page, 'words', figures.words)).toBe(page);
  expect(withTable(page, 'vectors', figures.vectors)).toBe(page);
  expect(page).toContain(`](../../${latest})`);
});
