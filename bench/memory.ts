/** Peak memory of `docfuse index`, as the system counts it: first by words alone, then with the model for as long as asked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { record } from './record.ts';
import { BIN } from './served.ts';

const { values } = parseArgs({
  options: {
    docs: { type: 'string' },
    /** An index of the same folder, with vectors: it is copied, some vectors are taken out, and made again. */
    resume: { type: 'string' },
    missing: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '120' },
    out: { type: 'string' },
  },
});
if (values.docs === undefined) throw new Error('Give the folder of documents with --docs.');
const docs = resolve(values.docs);
const work = mkdtempSync(join(tmpdir(), 'docfuse-memory-'));
const file = (index: string) => join(index, 'index.sqlite');

const measured: Record<string, object> = {};
const fresh = join(work, 'fresh');
measured.words = await peakOf(fresh, ['--no-embed']);
measured.embedding = await peakOf(fresh, [], Number(values.seconds));
if (values.resume) {
  const resumed = join(work, 'resumed');
  cpSync(resolve(values.resume), resumed, { recursive: true });
  takeOut(file(resumed), Number(values.missing));
  measured.resumed = await peakOf(resumed, [], Number(values.seconds));
}
rmSync(work, { recursive: true });
console.table(measured);
console.log(
  `Kept in ${await record('memory', { folder: docs.split('/').slice(-2).join('/'), ...measured }, values.out)}`,
);

/** Runs until it is done, or is interrupted after `seconds`. */
async function peakOf(index: string, options: readonly string[], seconds?: number): Promise<object> {
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, 'index', docs, '--index', index, '--quiet', ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, highWaterMark(child.pid!));
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

/** KiB that were resident at once, at most; 0 once the process has gone. */
function highWaterMark(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function countsOf(index: string): object {
  using database = new DatabaseSync(file(index), { readOnly: true });
  return {
    ...database
      .prepare(
        'SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS passages, (SELECT count(*) FROM vectors) AS vectors',
      )
      .get(),
  };
}

function takeOut(index: string, count: number): void {
  using database = new DatabaseSync(index);
  database.exec(`DELETE FROM vectors WHERE number % (SELECT max(1, count(*) / ${count}) FROM vectors) = 0`);
}
