/** Carries operations out on the running server of an index, or on the index itself where there is none. */
import type { OpenOptions } from '../../engine/api.ts';
import { type FreshIndex, keepFresh } from '../../engine/keep-fresh.ts';
import { lendIndex } from '../../engine/lend-index.ts';
import { locateIndex } from '../../engine/locate-index.ts';
import { open } from '../../engine/open.ts';
import { type OperationContext, runOperation } from '../operations/operation.ts';
import { askServer } from '../remote/ask-server.ts';
import { answers, findServer } from '../remote/find-server.ts';
import type { ServerLock } from '../remote/server-lock.ts';
import type { RunOperation } from './run-operation.ts';

export interface AttachedRun {
  readonly run: RunOperation;
  /** Address of the server that answers at the start; absent where the index is open here. */
  readonly server?: string;
  close(): Promise<void>;
}

/** Milliseconds between two looks for a server while the index is open here and nobody asks. */
const LOOK_EVERY_MS = 5_000;

/**
 * Looks for a server before each request, and now and then while the index is open here, which is closed once one answers.
 * @param attach false opens the index here whatever runs
 * @param onReady told when an index that is open here is up to date for the first time
 * @throws DocfuseError `config`
 */
export async function attachRun(
  options: OpenOptions,
  attach: boolean,
  onReady: () => void = () => {},
): Promise<AttachedRun> {
  const location = attach ? locateIndex(options) : undefined;
  const find = () => location && findServer(location, options.cwd);
  let server: ServerLock | undefined;
  let own: Promise<FreshIndex> | undefined;
  /** Requests that the index here answers. */
  let running = 0;

  /** Reading and embedding begin at once, so that the first question finds the index ready. */
  function openHere(): Promise<FreshIndex> {
    if (own) return own;
    const opening = open(options).then((index) => keepFresh(index, { onReady }));
    own = opening;
    // Why it failed is said to whoever asks next: they try again, and wait for the outcome.
    opening.catch(() => {
      if (own === opening) own = undefined;
    });
    return opening;
  }
  async function closeHere(): Promise<void> {
    const closing = own;
    own = undefined;
    await (await closing?.catch(() => undefined))?.close();
  }
  /** Once a server answers, nothing is asked of the index here any more. */
  function giveUpOwn(): void {
    if (server && own && running === 0) closeHere().catch(() => {});
  }
  async function attachTo(found: ServerLock | undefined): Promise<void> {
    server = found && (await answers(found)) ? found : undefined;
    giveUpOwn();
  }
  /** Nobody asked, so nobody is told of a failure: the index here goes on. */
  async function look(): Promise<void> {
    try {
      await attachTo(find());
    } catch {}
  }
  const context: OperationContext = {
    options,
    now: () => Date.now(),
    open: async () => lendIndex(await openHere()),
  };
  await attachTo(find());
  if (server === undefined) openHere().catch(() => {});
  // An assistant that asks nothing for hours must not hold a second copy of index and model for as long.
  const looking = setInterval(() => own && void look(), LOOK_EVERY_MS).unref();

  return {
    async run(operation, input, control) {
      const found = find();
      if (found?.run !== server?.run) {
        const attached = attachTo(found);
        // An index that is open answers while a server is asked whether it is there, which may take long when it hangs.
        if (!own) await attached;
      }
      if (server) {
        const asked = server;
        const answer = await askServer(asked, operation, input, control);
        if (answer) return answer;
        if (!(await answers(asked)) && server === asked) server = undefined;
      }
      running++;
      try {
        return await runOperation(operation, context, input, control);
      } finally {
        running--;
        giveUpOwn();
      }
    },
    ...(server !== undefined && { server: addressOf(server) }),
    async close() {
      clearInterval(looking);
      await closeHere();
    },
  };
}

function addressOf({ host, port }: ServerLock): string {
  return `http://${host}:${port}`;
}
