/** Runs work that writes the index, and waits while a server or another command writes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { KnownServer } from '../attach/discovery-file.ts';
import { untilIdle } from '../attach/follow-server.ts';
import { answers } from '../attach/send-request.ts';
import type { OperationProgress } from '../operations/operation.ts';

const RETRY_MS = 500;

export interface WaitOptions {
  readonly findServer: () => KnownServer | undefined;
  /** Whether to wait until the server has also embedded all passages. */
  readonly embed: boolean;
  readonly note: (line: string) => void;
  readonly onProgress?: (progress: OperationProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Waits until a running server is idle, reports the server's progress meanwhile, then calls `work`. Calls `work` again while
 * another process holds the index.
 * @throws other errors of `work`; the reason of `signal` if it is aborted
 */
export async function waitForWriters<T>(
  work: () => Promise<T>,
  { findServer, embed, note, onProgress, signal }: WaitOptions,
): Promise<T> {
  let said = false;
  const say = (line: string) => {
    if (!said) note(line);
    said = true;
  };
  for (;;) {
    const server = findServer();
    if (server && (await answers(server))) {
      say(`A server keeps this index up to date (process ${server.pid}).`);
      await untilIdle(server, { signal, embed, onProgress });
    }
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DocfuseError) || error.code !== 'index_busy') throw error;
      say(`${error.message} Waiting until that process is done; Ctrl-C stops waiting.`);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
