/** MCP over stdin and stdout, for one client, until that client goes away. */
import { serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { loadConfig } from '../../engine/config.ts';
import { VERSION } from '../../engine/version.ts';
import { type AttachOptions, attachRun } from './attached-run.ts';
import { createMcpServerFactory } from './create-mcp-server.ts';

export interface StdioOptions extends AttachOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told once, before the first message is read: where answers come from. */
  readonly onStart?: (server: string | undefined) => void;
}

/** Work under way is given this long to end. */
const GRACE_MS = 1_500;

/**
 * Serves until the client closes stdin, the signal comes, or a parent process that started this one over an IPC channel is gone.
 * @throws DocfuseError `config`
 */
export async function serveStdio({ signal, onStart, ...options }: StdioOptions): Promise<void> {
  const collections = loadConfig(options.open).collections.map(({ name }) => name);
  const attached = await attachRun(options);
  onStart?.(attached.server);
  const createServer = createMcpServerFactory({ run: attached.run, version: VERSION, collections });
  const connection = serveProtocol(createServer);
  await clientGone(signal);
  const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
  await Promise.race([Promise.all([connection.close(), attached.close()]), late]);
}

function clientGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      // A listener on the channel would keep this process running.
      process.off('disconnect', end);
      resolve();
    }
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    process.stdin.once('end', end).once('close', end);
    if (process.channel) process.on('disconnect', end);
  });
}
