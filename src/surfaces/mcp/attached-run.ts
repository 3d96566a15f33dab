/** Carries operations out on the running server of an index, or on the index itself where there is none. */
import type { OpenOptions } from '../../engine/api.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { createLazyResource } from '../../engine/lazy-resource.ts';
import { open } from '../../engine/open.ts';
import { lendIndex } from '../../engine/shared-index.ts';
import { keepFresh } from '../../engine/watch/keep-fresh.ts';
import { askServer } from '../attach/ask-server.ts';
import { findServer } from '../attach/find-server.ts';
import { answers } from '../attach/send-request.ts';
import type { KnownServer } from '../attach/server-proof.ts';
import { type OperationContext, type RunOperation, runOperation } from '../operations/operation.ts';

export interface AttachedRun {
  readonly run: RunOperation;
  /** Address of the server that answers at the start; absent where the index is open here. */
  readonly server?: string;
  close(): Promise<void>;
}

export interface AttachOptions {
  readonly open: OpenOptions;
  /** Ask the running server of the index, where there is one. @default true */
  readonly attach?: boolean;
  /** Called when an index that is open here is up to date for the first time. */
  readonly onReady?: () => void;
  /** Called when the index that was open here is closed, because a server answers. */
  readonly onGivenBack?: () => void;
}

/** Milliseconds between two looks for a server while the index is open here and nobody asks. */
const LOOK_EVERY_MS = 5_000;

/**
 * Asks a server or the index here. A server that gives no answer is asked again once it says that it is there; the index here
 * is opened when it is needed, at the start where there is no server, and closed as soon as one answers.
 * @throws DocfuseError `config`
 */
export async function attachRun({
  open: options,
  attach = true,
  onReady = () => {},
  onGivenBack = () => {},
}: AttachOptions): Promise<AttachedRun> {
  const location = attach ? locateIndex(options) : undefined;
  const own = createLazyResource(async () => keepFresh(await open(options), { onReady }));
  const context: OperationContext = {
    options,
    now: () => Date.now(),
    open: async () => lendIndex(await own.get()),
  };
  /** The server that answers; undefined if the index here does. */
  let server: KnownServer | undefined;
  /** Number of requests that the index here is answering: it must stay open for them. */
  let running = 0;

  async function look(): Promise<void> {
    const found = location && findServer(location, options.cwd);
    if (found?.run === server?.run) return;
    server = found && (await answers(found)) ? found : undefined;
    giveBack();
  }
  function giveBack(): void {
    if (server && running === 0) own.close().then((wasOpen) => wasOpen && onGivenBack(), ignore);
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
  // A silent assistant must not hold a second copy of index and model for hours.
  const looking = setInterval(() => server || look().catch(ignore), LOOK_EVERY_MS).unref();

  return {
    async run(operation, input, control) {
      // Do not wait for a server that may hang while the index here can answer.
      const looked = look();
      if (server) await looked;
      else looked.catch(ignore);
      const asked = server;
      const answer = asked && (await askServer(asked, operation, input, control));
      if (answer) return answer;
      if (server === asked) server = undefined;
      return runHere(operation, input, control);
    },
    ...(server && { server: `http://${server.host}:${server.port}` }),
    async close() {
      clearInterval(looking);
      await own.close();
    },
  };
}

function ignore(): void {}
