/** What `index --watch` does once the index is built: follows the files until it is told to stop. */
import type { DocumentChange, OpenOptions } from '../../engine/api.ts';
import type { KeepFreshOptions } from '../../engine/keep-fresh.ts';
import { toDocfuseError } from '../operations/problem.ts';
import type { ServerLock } from '../remote/server-lock.ts';
import { printable, printablePath } from './terminal.ts';

/** What `--poll` means, wherever files are watched. */
export const POLL = 'compare all files every 5 s instead of waiting to be told of changes';

/** Said at the end, below the `^C` that a terminal shows. */
export const STOPPED = `${process.stderr.isTTY ? '\n' : ''}Stopped.`;

export interface WatchCommandOptions {
  readonly poll: boolean;
  /** Prints changes as JSON, one line for all that were read together. */
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
  /** The running server of the index. */
  readonly findServer: () => ServerLock | undefined;
}

/** While a server keeps the index up to date, it is listened to; two would read every file twice. */
export async function watchFiles(
  open: OpenOptions,
  { poll, json, print, note, findServer }: WatchCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  function onChanges(changes: readonly DocumentChange[]): void {
    if (json) print(JSON.stringify({ changes }));
    else for (const { document, change } of changes) print(printablePath(`${change} ${document}`));
  }
  const { listenForChanges } = await import('../remote/follow-server.ts');
  const stop = new AbortController();
  const over = ended(signal).then(() => stop.abort());
  note('Watching for changes; Ctrl-C ends it.');
  for (let heard = true; heard && !stop.signal.aborted; ) {
    const server = findServer();
    heard = server !== undefined && (await listenForChanges(server, onChanges, stop.signal));
  }
  if (!stop.signal.aborted) await watchHere();
  note(STOPPED);

  async function watchHere(): Promise<void> {
    const [engine, { keepFresh }] = await Promise.all([
      import('../../engine/open.ts'),
      import('../../engine/keep-fresh.ts'),
    ]);
    const index = keepFresh(await engine.open(open), {
      poll,
      onChanges,
      ...noteTrouble(note),
    });
    await over;
    await index.close();
  }
}

/** Warnings and failures of an index that is kept fresh, as notes. */
export function noteTrouble(
  note: (line: string) => void,
): Required<Pick<KeepFreshOptions, 'onFailure' | 'onWarning'>> {
  return {
    onFailure(error) {
      const { message, remedy } = toDocfuseError(error);
      note(`warning: ${message} ${remedy}`);
    },
    onWarning: ({ path, message }) =>
      note(`warning: ${path ? `${printablePath(path)}: ` : ''}${printable(message)}`),
  };
}

/** Resolves when the signal comes, or when a parent process that started this one over an IPC channel is gone. */
export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      // A listener on the channel would keep this process running.
      process.off('disconnect', end);
      resolve();
    }
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    if (process.channel) process.on('disconnect', end);
  });
}
