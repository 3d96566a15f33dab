/** Serves MCP over stdin and stdout to one client, until the client disconnects. */
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport, serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { DocfuseError } from '../../core/errors.ts';
import { checkOptions } from '../../engine/check-options.ts';
import { requireRoot } from '../../engine/check-roots.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import type { LeftOut } from '../../engine/config/without-untrusted.ts';
import { placeOfIndex } from '../../engine/open.ts';
import { ended } from '../../engine/shared-index.ts';
import { VERSION } from '../../engine/version.ts';
import { type AttachOptions, attachRun } from './attached-run.ts';
import { createMcpServerFactory } from './create-mcp-server.ts';

export interface StdioOptions extends AttachOptions {
  /** If aborted, serving ends. */
  readonly signal: AbortSignal;
  /** Called before the first message is read, with the server's address; undefined if this process opens the index. */
  readonly onStart?: (server: string | undefined) => void;
  /** Called before `onStart` if an untrusted file contains settings that only the user may decide. */
  readonly onLeftOut?: (leftOut: LeftOut) => void;
}

/** Milliseconds to answer pending requests after the input ends, for callers that pipe requests in. */
const ANSWER_MS = 5_000;
const LOOK_MS = 20;

/** Milliseconds for running work to end. */
const GRACE_MS = 1_500;

/**
 * Serves until the client closes stdin, the signal is aborted, or the parent process closes its IPC channel to this process.
 * @throws DocfuseError `config`; `not_found` if there is no index and a folder of documents is missing; `usage` for wrong
 * options and for a line of more than 10 MiB. The transport skips other lines that are not messages.
 */
export async function serveStdio(given: StdioOptions): Promise<void> {
  checkOptions('serveStdio', given ?? {});
  const { signal, onStart, onLeftOut, ...options } = given;
  const { config, indexPath } = locateIndex(options.open);
  // With an index, a folder may be missing, because answers come from the index. Without an index, every folder must exist.
  if (placeOfIndex(indexPath).edition() === undefined)
    for (const { root } of config.collections) requireRoot(root);
  const collections = config.collections.map(({ name }) => name);
  if (config.leftOut) onLeftOut?.(config.leftOut);
  const attached = await attachRun(options);
  onStart?.(attached.server);
  const createServer = createMcpServerFactory({ run: attached.run, version: VERSION, collections });
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(input);
  const connection = serveProtocol(createServer, { transport });
  const unanswered = trackRequests(transport);
  const failure = await Promise.race([ended(signal, process.stdin), lineTooLong(transport)]);
  for (let left = ANSWER_MS; !failure && unanswered.size > 0 && left > 0 && !signal.aborted; left -= LOOK_MS)
    await sleep(LOOK_MS);
  const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
  await Promise.race([Promise.all([connection.close(), attached.close()]), late]);
  process.stdin.unpipe(input).pause();
  if (failure) throw failure;
}

/** Returns the ids of requests without an answer, kept up to date. A cancelled request gets no answer. */
function trackRequests(transport: StdioServerTransport): Set<unknown> {
  const ids = new Set<unknown>();
  const { onmessage, send } = transport;
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) ids.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      ids.delete(message.params?.['requestId']);
    onmessage?.(message);
  };
  transport.send = async (message) => {
    await send.call(transport, message);
    if (!('method' in message)) ids.delete(message.id);
  };
  return ids;
}

/** Resolves if the transport closes because a line is too long, and not if it closes because the client no longer reads. */
function lineTooLong(transport: StdioServerTransport): Promise<DocfuseError> {
  const { onclose } = transport;
  const error = new DocfuseError(
    'usage',
    'The client sent a line of more than 10 MiB.',
    'Send smaller requests.',
  );
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      if (!process.stdout.errored) resolve(error);
    };
  });
}
