/** Indexing by words alone, in turn with SQLite FTS5 over whole files and, where asked, another checkout: seconds, and ratios of medians. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createFolderSource } from '../src/adapters/source/folder-source.ts';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { keep } from './record.ts';
import { BIN } from './served.ts';
import { timed } from './timed.ts';

const { values } = parseArgs({
  options: {
    docs: { type: 'string' },
    /** `bin/docfuse.js` of another checkout. */
    against: { type: 'string' },
    runs: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
if (values.docs === undefined) throw new Error('Give the folder of documents with --docs.');
const docs = resolve(values.docs);
const work = mkdtempSync(join(tmpdir(), 'docfuse-index-'));

const seconds: Record<string, number[]> = {};
const note = (name: string, milliseconds: number) => {
  seconds[name] = [...(seconds[name] ?? []), milliseconds / 1000];
};
for (let run = 0; run < Number(values.runs); run++) {
  await index('docfuse', BIN);
  if (values.against) await index('before', resolve(values.against));
  note('FTS5, whole files', await timed(() => fillFts5(join(work, 'fts5.sqlite'))));
}
rmSync(work, { recursive: true });

const medians = Object.fromEntries(
  Object.entries(seconds).map(([name, each]) => [name, percentile(each, 0.5)]),
);
const ratios = Object.fromEntries(
  Object.entries(medians).map(([name, median]) => [name, median / medians.docfuse!]),
);
console.table({ seconds: medians, 'times docfuse': ratios });
await keep('index-words', { folder: docs.split('/').at(-1), seconds, medians, ratios }, values.out);

/** Until the process ends, and until a first segment of words can be searched. */
async function index(name: string, bin: string): Promise<void> {
  const folder = join(work, 'index');
  rmSync(folder, { recursive: true, force: true });
  const began = performance.now();
  const child = spawn(process.execPath, [bin, 'index', docs, '--index', folder, '--quiet', '--no-embed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !hasWords(join(folder, 'index.sqlite'))) await sleep(20);
  note(`${name}, first words`, performance.now() - began);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${bin} ended with ${code}.`);
  note(name, performance.now() - began);
}

function hasWords(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    return database.prepare("SELECT 1 FROM segments WHERE kind = 'chunks'").get() !== undefined;
  } catch {
    return false; // the tables are being made
  }
}

/** What a search engine by words alone does at least: whole files, three fields, stems, no passages, no code, no links. */
async function fillFts5(file: string): Promise<void> {
  rmSync(file, { force: true });
  using database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE VIRTUAL TABLE documents USING fts5(path, title, body, tokenize = 'porter unicode61')`);
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?, ?)');
  for await (const { path } of createFolderSource({ root: docs }).list(() => {})) {
    const text = readFileSync(join(docs, path), 'utf8');
    insert.run(path, /^# (.*)/m.exec(text)?.[1] ?? path, text);
  }
}
