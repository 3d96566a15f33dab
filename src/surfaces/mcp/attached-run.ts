/** Carries operations out on the running server of an index, or on the index itself where there is none. */
import type { OpenOptions } from '../../engine/api.ts';
import { type FreshIndex, keepFresh } from '../../engine/keep-fresh.ts';
import { locateIndex } from '../../engine/locate-index.ts';
import { open } from '../../engine/open.ts';
import { type OperationContext, runOperation } from '../operations/operation.ts';
import { askServer } from '../remote/ask-server.ts';
import { answers, findServer } from '../remote/find-server.ts';
import type { RunOperation } from './run-operation.ts';

export interface AttachedRun {
  readonly run: RunOperation;
  /** Address of the server that answers; absent where the index is open here. */
  readonly server?: string;
  close(): Promise<void>;
}

/**
 * Looks for a server once. While it lives, index and model are its own and none are loaded here; when it dies, the index is
 * opened here with the next call.
 * @param attach false opens the index here whatever runs
 * @throws DocfuseError `config`
 */
export async function attachRun(options: OpenOptions, attach: boolean): Promise<AttachedRun> {
  const found = attach ? findServer(locateIndex(options), options.cwd) : undefined;
  let server = found && (await answers(found)) ? found : undefined;
  const address = server && `http://${server.host}:${server.port}`;
  let own: Promise<FreshIndex> | undefined;

  /** Reading and embedding begin at once, so that the first question finds the index ready. */
  function openHere(): Promise<FreshIndex> {
    // Why it failed is said to whoever asks next: they try again, and wait for the outcome.
    own ??= open(options).then((index) => keepFresh(index, { onFailure() {} }));
    own.catch(() => {
      own = undefined;
    });
    return own;
  }
  const context: OperationContext = {
    options,
    now: () => Date.now(),
    async open() {
      const index = await openHere();
      // Operations dispose what they open; this index outlives them.
      return { ...index, close: async () => {}, [Symbol.asyncDispose]: async () => {} };
    },
  };
  if (server === undefined) openHere().catch(() => {});

  return {
    async run(operation, input, control) {
      if (server) {
        const answer = await askServer(server, operation, input, control);
        if (answer) return answer;
        if (!(await answers(server))) server = undefined;
      }
      return runOperation(operation, context, input, control);
    },
    ...(address !== undefined && { server: address }),
    async close() {
      await (await own?.catch(() => undefined))?.close();
    },
  };
}
