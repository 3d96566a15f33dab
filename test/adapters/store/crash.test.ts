/** kill -9 in the middle of writing: the index opens again and holds whatever was committed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, 'crash-child.ts');

it('loses nothing that was committed when its process is killed', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const documents: string[] = [];
  const withVectors: string[] = [];
  for (let run = 0; run < 4; run++) {
    for (const line of await writeUntilKilled(file, `run${run}`, 3 + run * 5)) {
      const [what, path] = line.split(' ') as [string, string];
      (what === 'document' ? documents : withVectors).push(path);
    }
    expect(check(file)).toEqual(['ok']);
  }
  const store = openSqliteStore(file);
  const numbers = new Map([...store.documents()].map((document) => [document.path, document.number]));
  expect(documents.length).toBeGreaterThan(20);
  for (const path of documents) expect(store.chunksOf(numbers.get(path)!), path).toHaveLength(30);
  for (const path of withVectors) {
    for (const { slot } of store.chunksOf(numbers.get(path)!))
      expect(store.vector('m', slot)).toHaveLength(384);
  }
  // A document is there as a whole or not at all, even the one that was being written.
  for (const number of numbers.values()) expect(store.chunksOf(number)).toHaveLength(30);
  store.close();
});

/** The complete lines a child printed before it was killed, some milliseconds after its `lines`-th. */
function writeUntilKilled(file: string, run: string, lines: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, file, run], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += String(data);
    });
    child.stdout.on('data', (data) => {
      printed += String(data);
      if (printed.split('\n').length > lines) setTimeout(() => child.kill('SIGKILL'), lines % 4);
    });
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(printed.slice(0, printed.lastIndexOf('\n')).split('\n'));
      else reject(new Error(`the child ended by itself: ${errors}`));
    });
  });
}

function check(file: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  const problems = database.prepare('PRAGMA integrity_check').all();
  const dangling = database.prepare('PRAGMA foreign_key_check').all();
  database.close();
  return [...problems.map((row) => row.integrity_check), ...dangling];
}
