/** Memory as the system counts it: of `docfuse index` at its peak, of a process after 100 questions; and the size of the index. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { SearchMode } from '../src/core/model/query.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';
import { BIN } from './served.ts';

const { values } = parseArgs({
  options: {
    docs: { type: 'string' },
    /** An index of the same folder that is to be gone on with, as one that was stopped, or made by an older version; it is copied. */
    resume: { type: 'string' },
    /** A complete index of the folder, with vectors, which is only asked. */
    ask: { type: 'string' },
    mode: { type: 'string', default: 'hybrid' },
    /** How long what embeds may take, reading included. */
    seconds: { type: 'string', default: '600' },
    out: { type: 'string' },
  },
});
if (values.docs === undefined) throw new Error('Give the folder of documents with --docs.');
const docs = resolve(values.docs);
const file = (index: string) => join(index, 'index.sqlite');

const QUESTIONS = 100;

if (values.ask === undefined) await measure();
else await ask(resolve(values.ask), values.mode as SearchMode);

async function measure(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'docfuse-memory-'));
  const measured: Record<string, object> = {};
  measured.words = await peakOf(join(work, 'words'), ['--no-embed']);
  measured.askedByWords = await residentAfterQuestions(join(work, 'words'), 'keyword');
  measured.whole = await peakOf(join(work, 'whole'), [], Number(values.seconds));
  if (values.resume) {
    const resumed = join(work, 'resumed');
    cpSync(resolve(values.resume), resumed, { recursive: true });
    measured.resumed = await peakOf(resumed, [], Number(values.seconds));
    measured.asked = await residentAfterQuestions(resumed, 'hybrid');
  }
  rmSync(work, { recursive: true });
  console.table(measured);
  await keep('memory', { folder: docs.split('/').slice(-2).join('/'), ...measured }, values.out);
}

/** Runs until it is done, or is interrupted after `seconds`. */
async function peakOf(index: string, options: readonly string[], seconds?: number): Promise<object> {
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, 'index', docs, '--index', index, '--quiet', ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid!, 'VmHWM'));
  }, 50);
  const stop = seconds === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), seconds * 1000);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  clearTimeout(stop);
  if (code !== 0 && code !== 130) throw new Error(`docfuse index ended with ${code}.`);
  return {
    peakMiB: Math.round(peak / 1024),
    seconds: Math.round((performance.now() - began) / 1000),
    finished: code === 0,
    ...countsOf(index),
  };
}

/** Asks an index in a process of its own, which collects garbage as a server does. */
async function residentAfterQuestions(index: string, mode: SearchMode): Promise<object> {
  const flags = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];
  const child = spawn(
    process.execPath,
    [...flags, import.meta.filename, '--docs', docs, '--ask', index, '--mode', mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [answer] = await once(child.stdout, 'data');
  return JSON.parse(String(answer));
}

async function ask(index: string, mode: SearchMode): Promise<void> {
  await using opened = await open({ roots: [docs], indexPath: index });
  for (const question of questions()) await opened.search(question, { mode });
  const [residentMiB, peakMiB] = ['VmRSS', 'VmHWM'].map((what) =>
    Math.round(memoryOf(process.pid, what) / 1024),
  );
  console.log(JSON.stringify({ residentMiB, peakMiB }));
}

/** Four words in a row from the middle of 100 files. */
function questions(): readonly string[] {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const step = Math.max(1, files.length / QUESTIONS);
  return Array.from({ length: QUESTIONS }, (_, at) => {
    const words = readFileSync(join(docs, files[Math.floor(at * step) % files.length]!), 'utf8').match(
      /[a-z]{3,}/gi,
    );
    const middle = Math.floor((words?.length ?? 0) / 2) + Math.floor((at * step) / files.length);
    return words?.slice(middle, middle + 4).join(' ') || 'readme';
  });
}

/** KiB of a line of the system's status of a process, such as `VmHWM`; 0 once the process has gone. */
function memoryOf(pid: number, what: string): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  try {
    return Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(status, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function countsOf(index: string): object {
  using database = new DatabaseSync(file(index), { readOnly: true });
  return {
    indexMiB: Math.round(statSync(file(index)).size / 2 ** 20),
    ...database
      .prepare(
        'SELECT (SELECT count(*) FROM documents) AS documents, (SELECT round(sum(length(CAST(text AS BLOB))) / 1048576.0) FROM chunk_bodies) AS textMiB, (SELECT count(*) FROM chunks) AS passages, (SELECT count(*) FROM vectors) AS vectors',
      )
      .get(),
  };
}
