/** Runs operations on the running server of an index. If no server runs, this process opens the index. */
import type { OpenOptions } from '../../engine/api.ts';
import { checkOptions } from '../../engine/check-options.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { open } from '../../engine/open.ts';
import { lendIndex } from '../../engine/shared-index.ts';
import { createLazyResource } from '../../engine/tasks.ts';
import { keepFresh } from '../../engine/watch/keep-fresh.ts';
import { askServer } from '../attach/ask-server.ts';
import { addressOf, findServer, type KnownServer } from '../attach/discovery-file.ts';
import { answers } from '../attach/send-request.ts';
import { type OperationContext, type RunOperation, runOperation } from '../operations/operation.ts';

export interface AttachedRun {
  readonly run: RunOperation;
  /** Address of the server that was found at the start; absent if this process opened the index. */
  readonly server?: string;
  close(): Promise<void>;
}

export interface AttachOptions {
  readonly open: OpenOptions;
  /** Whether to ask the running server of the index. @default true */
  readonly attach?: boolean;
  /** Called when the index opened in this process is up to date for the first time. */
  readonly onReady?: () => void;
}

/** Milliseconds between checks for a server while the index is open in this process. */
const LOOK_EVERY_MS = 5_000;

/**
 * Runs operations on the server of an index or, without a server, on the index opened in this process. The index is opened at the
 * start if no server runs, or later when the server stops answering. It is closed as soon as a server responds.
 * @throws DocfuseError `usage` for wrong options, `config`
 */
export async function attachRun(given: AttachOptions): Promise<AttachedRun> {
  checkOptions('attachRun', given ?? {});
  const { open: options, attach = true, onReady = () => {} } = given;
  const location = attach ? locateIndex(options) : undefined;
  const own = createLazyResource(async () => keepFresh(await open(options), { onReady }));
  const context: OperationContext = {
    options,
    now: () => Date.now(),
    open: async () => lendIndex(await own.get()),
  };
  /** The server that runs operations; undefined while this process runs them. */
  let server: KnownServer | undefined;
  /** Number of operations that run on the index in this process. The index stays open until they end. */
  let running = 0;

  async function look(): Promise<void> {
    const found = location && findServer(location, options.cwd);
    if (found?.run === server?.run) return;
    server = found && (await answers(found)) ? found : undefined;
    giveBack();
  }
  function giveBack(): void {
    if (server && running === 0)
      own
        .close()
        .then((wasOpen) => wasOpen && options.onGivenBack?.())
        .catch(ignore);
  }
  async function runHere(...[operation, input, control]: Parameters<RunOperation>): Promise<never> {
    running++;
    try {
      return (await runOperation(operation, context, input, control)) as never;
    } finally {
      running--;
      giveBack();
    }
  }

  await look();
  // Start reading and embedding now. If that fails, the first request gets the error.
  if (!server) own.get().catch(ignore);
  // Look for a server also without requests: a second copy of index and model must not stay open for hours.
  const looking = setInterval(() => server || look().catch(ignore), LOOK_EVERY_MS).unref();

  return {
    async run(operation, input, control) {
      // Do not wait for the look-up while our own index is open: the new server may hang.
      const looked = look();
      if (server) await looked;
      else looked.catch(ignore);
      const asked = server;
      const answer = asked && (await askServer(asked, operation, input, control));
      if (answer) return answer;
      if (server === asked) server = undefined;
      return runHere(operation, input, control);
    },
    ...(server && { server: addressOf(server) }),
    async close() {
      clearInterval(looking);
      await own.close();
    },
  };
}

function ignore(): void {}
