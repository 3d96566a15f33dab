/** Serves MCP over stdin and stdout to one client, until the client disconnects. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  INVALID_REQUEST,
  isJSONRPCRequest,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { requireRoot } from '../../engine/check-roots.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import type { LeftOut } from '../../engine/config/without-untrusted.ts';
import { placeOfIndex } from '../../engine/open.ts';
import { ended } from '../../engine/shared-index.ts';
import { VERSION } from '../../engine/version.ts';
import { type AttachOptions, attachRun } from './attached-run.ts';
import { createMcpServerFactory } from './create-mcp-server.ts';
import { wholeLines } from './whole-lines.ts';

export interface StdioOptions extends AttachOptions {
  /** If aborted, serving ends. */
  readonly signal: AbortSignal;
  /** Called before the first message is read, with the server's address; undefined if this process opens the index. */
  readonly onStart?: (server: string | undefined) => void;
  /** Called before `onStart` if an untrusted file contains settings that only the user may decide. */
  readonly onLeftOut?: (leftOut: LeftOut) => void;
}

/** Max bytes of a line, the same as for a body over HTTP. After a longer line, the transport would stop reading. */
const MAX_LINE_LENGTH = 1024 * 1024;
const TOO_LONG = 'The line is longer than 1 MiB. Send a smaller request.';
const NO_JSON = 'The line is not JSON.';
const NO_MESSAGE = 'The line is not a JSON-RPC 2.0 message.';

/** Milliseconds to answer pending requests after the input ends, for callers that pipe requests in. */
const ANSWER_MS = 5_000;
const LOOK_MS = 20;

/** Milliseconds for running work to end. */
const GRACE_MS = 1_500;

/**
 * Serves until the client closes stdin, the signal is aborted, or the parent process closes its IPC channel to this process.
 * @throws DocfuseError `config`; `not_found` if there is no index and a folder of documents is missing
 */
export async function serveStdio({ signal, onStart, onLeftOut, ...options }: StdioOptions): Promise<void> {
  const { config, indexPath } = locateIndex(options.open);
  // With an index, a folder may be missing, because answers come from the index. Without an index, every folder must exist.
  if (placeOfIndex(indexPath).edition() === undefined)
    for (const { root } of config.collections) requireRoot(root);
  const collections = config.collections.map(({ name }) => name);
  if (config.leftOut) onLeftOut?.(config.leftOut);
  const attached = await attachRun(options);
  onStart?.(attached.server);
  const createServer = createMcpServerFactory({ run: attached.run, version: VERSION, collections });
  const unanswered = new Set<unknown>();
  const onTooLong = () => refuse(TOO_LONG);
  const onLine = (line: Buffer) => note(line, unanswered);
  const lines = process.stdin.pipe(wholeLines({ maxBytes: MAX_LINE_LENGTH, onTooLong, onLine }), {
    end: false,
  });
  const transport = new StdioServerTransport(lines);
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message)) unanswered.delete(message.id);
  };
  const connection = serveProtocol(createServer, { transport });
  await ended(signal, process.stdin);
  for (let left = ANSWER_MS; unanswered.size > 0 && left > 0 && !signal.aborted; left -= LOOK_MS)
    await sleep(LOOK_MS);
  const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
  await Promise.race([Promise.all([connection.close(), attached.close()]), late]);
  process.stdin.unpipe(lines).pause();
}

/**
 * Adds the id of a request to `unanswered`. Removes the id when the request is cancelled: cancelled requests get no answer.
 * @returns whether the transport gets the line
 */
function note(line: Buffer, unanswered: Set<unknown>): boolean {
  const text = line.toString();
  if (text.trim() === '') return false;
  let value: { readonly id?: unknown } | null = null;
  try {
    value = JSON.parse(text);
    const message = parseJSONRPCMessage(value);
    if (isJSONRPCRequest(message)) unanswered.add(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      unanswered.delete(message.params?.['requestId']);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) refuse(NO_JSON);
    else refuse(NO_MESSAGE, INVALID_REQUEST, value?.id);
    return false;
  }
}

/** Answers a wrong line with a JSON-RPC error; the transport would drop such a line silently. */
function refuse(message: string, code: number = PARSE_ERROR, id?: unknown): void {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message } })}\n`);
}
