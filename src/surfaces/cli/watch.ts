/** Follows the files after `index --watch` has built the index. */
import { DocfuseError } from '../../core/errors.ts';
import { oneLine, safeJson } from '../../core/text/one-line.ts';
import type { DocumentChange, OpenOptions } from '../../engine/api.ts';
import { ended } from '../../engine/shared-index.ts';
import type { KeepFreshOptions } from '../../engine/watch/keep-fresh.ts';
import type { KnownServer } from '../attach/discovery-file.ts';
import type { ChangeStream } from '../attach/follow-server.ts';
import { answers } from '../attach/send-request.ts';
import { toDocfuseError } from '../operations/problem.ts';

/** The help text of `--poll`. */
export const POLL = 'compare all files every 5 s instead of waiting for change events';

/** Prints the last note, below the `^C` that a terminal shows. */
export function noteStopped(note: (line: string) => void): void {
  if (process.stderr.isTTY) note('');
  note('Stopped.');
}

export interface WatchCommandOptions {
  readonly poll: boolean;
  /** Whether to print changes as JSON: one line for all changes that were read together. */
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
  /** Like `note`, but printed under `--json`, too. */
  readonly warn: (line: string) => void;
  readonly findServer: () => KnownServer | undefined;
  readonly signal: AbortSignal;
}

/**
 * Follows changes of the files. If a server keeps the index up to date, listens to the server: with a second watcher, every file
 * would be read twice.
 * @throws DocfuseError `usage` for `poll` while a server watches
 */
export async function watchFiles(options: WatchCommandOptions) {
  const { poll, json, print, note, warn, findServer, signal } = options;
  const { openChanges } = await import('../attach/follow-server.ts');
  const stop = new AbortController();
  let stream: ChangeStream | undefined;
  let stand: string | undefined;

  async function listen(): Promise<ChangeStream | undefined> {
    const server = findServer();
    return server && openChanges(server, { signal: stop.signal, after: stand });
  }
  function onChanges(changes: readonly DocumentChange[]): void {
    if (json) print(safeJson({ changes }));
    else for (const { document, change } of changes) print(oneLine(`${change} ${document}`));
  }
  function onMissed(): void {
    warn(
      'Some changes were not reported, because the connection to the server was lost; docfuse list shows all documents.',
    );
  }
  async function watchHere(open: OpenOptions, over: Promise<void>): Promise<void> {
    const engine = await import('../../engine/open.ts');
    const { keepFresh } = await import('../../engine/watch/keep-fresh.ts');
    const index = keepFresh(await engine.open(open), {
      poll,
      publish: true,
      onChanges,
      ...noteTrouble(note),
    });
    await over;
    await index.close();
  }

  const server = poll ? findServer() : undefined;
  if (server && (await answers(server))) {
    throw new DocfuseError(
      'usage',
      `A server keeps this index up to date (process ${server.pid}), so only the server can poll.`,
      'Start docfuse serve with --poll, or leave out --poll here.',
    );
  }
  return {
    /** Connects to the server. Call it just before the index is updated, so that `follow` reports all later changes. */
    async begin() {
      if (!poll) stream ??= await listen();
    },
    /** Reports changes until `signal` is aborted. */
    async follow(open: OpenOptions) {
      const over = ended(signal).then(() => stop.abort());
      note('Watching for changes; Ctrl-C ends it.');
      while (stream && !stop.signal.aborted) {
        stand = await stream.follow({ onChanges, onMissed });
        stream = stop.signal.aborted ? undefined : await listen();
      }
      if (!stop.signal.aborted) await watchHere(open, over);
      noteStopped(note);
    },
  };
}

/** Returns callbacks that print warnings and failures of a watched index as notes. */
export function noteTrouble(
  note: (line: string) => void,
): Required<Pick<KeepFreshOptions, 'onFailure' | 'onWarning'>> {
  return {
    onFailure(error) {
      const { message, remedy } = toDocfuseError(error);
      note(oneLine(`warning: ${message} ${remedy}`));
    },
    onWarning: ({ path, message }) => note(oneLine(`warning: ${path ? `${path}: ` : ''}${message}`)),
  };
}
