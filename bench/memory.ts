/** Peak memory of `docfuse index`, as the system counts it: by words alone; with the model, from the first file on; going on with an index. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { keep } from './record.ts';
import { BIN } from './served.ts';

const { values } = parseArgs({
  options: {
    docs: { type: 'string' },
    /** An index of the same folder that is to be gone on with, as one that was stopped, or made by an older version; it is copied. */
    resume: { type: 'string' },
    /** How long what embeds may take, reading included. */
    seconds: { type: 'string', default: '600' },
    out: { type: 'string' },
  },
});
if (values.docs === undefined) throw new Error('Give the folder of documents with --docs.');
const docs = resolve(values.docs);
const work = mkdtempSync(join(tmpdir(), 'docfuse-memory-'));
const file = (index: string) => join(index, 'index.sqlite');

const measured: Record<string, object> = {};
measured.words = await peakOf(join(work, 'words'), ['--no-embed']);
measured.whole = await peakOf(join(work, 'whole'), [], Number(values.seconds));
if (values.resume) {
  const resumed = join(work, 'resumed');
  cpSync(resolve(values.resume), resumed, { recursive: true });
  measured.resumed = await peakOf(resumed, [], Number(values.seconds));
}
rmSync(work, { recursive: true });
console.table(measured);
await keep('memory', { folder: docs.split('/').slice(-2).join('/'), ...measured }, values.out);

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
