/** The command `mcp`: MCP over stdin and stdout for the assistant that started it. */
import type { Command } from 'commander';
import { oneLine } from '../../core/text/one-line.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { collectGarbage, letGrow } from './garbage.ts';
import type { SharedOptions } from './shared-options.ts';

/** Makes the group `mcp`, which holds `install`, a command of its own. */
export function describeMcp(group: Command): Command {
  return group.description(
    'Serve an assistant over MCP, on stdin and stdout. Assistants start this command themselves; docfuse mcp install ' +
      'says what to write into their configuration. While docfuse serve runs for the same index, this command asks that ' +
      'server and holds no second copy of the index.',
  );
}

/** Serves until the assistant goes away; nothing but protocol is printed on stdout. */
export async function serveMcp(
  open: OpenOptions,
  { server, quiet }: SharedOptions,
  signal: AbortSignal,
): Promise<void> {
  // Loaded here so that other commands start without it.
  const { serveStdio } = await import('../mcp/serve-stdio.ts');
  await serveStdio({
    open,
    attach: server,
    signal,
    onReady: letGrow,
    onGivenBack: collectGarbage,
    onLeftOut({ message, remedy }) {
      if (!quiet) process.stderr.write(`${oneLine(`${message} ${remedy}`)}\n`);
    },
    onStart(address) {
      if (quiet) return;
      if (address !== undefined) process.stderr.write(`${oneLine(`Asking the server at ${address}`)}\n`);
      if (process.stdin.isTTY) process.stderr.write('Waiting for an assistant on stdin; Ctrl-C ends.\n');
    },
  });
  // Running work must not outlive the assistant.
  process.exit();
}
