/** Keeps two processes from pulling one model at once: they would write the same files. */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';

const LOCK = 'pulling.pid';

/**
 * Takes the lock of a folder, making the folder; that of a process which is gone is taken over.
 * @returns what gives it back; safe to call more than once
 * @throws DocfuseError `index_busy` when another process holds it
 */
export async function takePullLock(folder: string, model: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LOCK);
  for (let tries = 0; tries < 2; tries += 1) {
    const handle = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (handle) {
      await handle.writeFile(String(process.pid));
      await handle.close();
      let held = true;
      return async () => {
        if (held) await rm(path, { force: true });
        held = false;
      };
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(holder)) break;
    await rm(path, { force: true });
  }
  throw new DocfuseError(
    'index_busy',
    `Another process is pulling ${model}.`,
    `Wait until it is done; if there is none, delete ${path}.`,
  );
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
