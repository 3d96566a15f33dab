/** The commands `serve`, `open` and `mcp`: a process that keeps an index open, for many clients over HTTP or for one assistant. */
import { type Command, createOption, InvalidArgumentError } from 'commander';
import { defined } from '../../core/model/defined.ts';
import { oneLine, safeJson } from '../../core/text/one-line.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { ended } from '../../engine/shared-index.ts';
import type { StartOptions } from '../http/start-server.ts';
import { collectGarbage, letGrow } from './garbage.ts';
import { createProgress } from './progress.ts';
import { createJsonLog, createTextLog, LOG_FORMATS } from './serve-log.ts';
import type { SharedOptions } from './shared-options.ts';
import { readTerminal } from './terminal.ts';
import { POLL } from './watch.ts';

type StartedWith = 'host' | 'port' | 'token' | 'poll' | 'readOnly' | 'judge' | 'metrics';

export interface ServeOptions extends SharedOptions, Pick<StartOptions, StartedWith> {
  readonly logFormat?: (typeof LOG_FORMATS)[number];
}

export interface OpenPageOptions extends ServeOptions {
  readonly query?: string;
  /** False for `--no-browser`. */
  readonly browser?: boolean;
}

/** A command that runs until the signal is aborted. */
export type ServerWork = (open: OpenOptions, options: ServeOptions, signal: AbortSignal) => Promise<void>;

/** Max milliseconds until a server exits after it is told to stop, even if work is still running. */
const MAX_EXIT_MS = 8_000;

/** Adds texts and options to `serve`. The program creates all commands, so that their errors and help look alike. */
export function describeServe(command: Command): Command {
  return command
    .summary('serve an index to many clients over HTTP')
    .description(
      'Serve an index to many clients over HTTP. One process holds index and model and keeps the index up to date; ' +
        'searches in a terminal use it while it runs. Ctrl-C or SIGTERM ends it.',
    )
    .option('--port <number>', 'port to listen on; 0 chooses a free port (default: 7331)', toPort)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--token <text>', 'token that clients must send; the environment variable DOCFUSE_TOKEN is safer')
    .option('--judge', 'let the page save grades of hits, for eval and tune')
    .option('--metrics', 'offer metrics for Prometheus at /metrics; needs the package prom-client')
    .addOption(
      createOption('--log-format <name>', 'log events for people or as JSON (default: text)').choices(
        LOG_FORMATS,
      ),
    )
    .option('--poll', POLL)
    .addOption(
      createOption(
        '--read-only',
        'only answer: read no files, make no vectors and publish nothing',
      ).conflicts(['judge', 'poll']),
    );
}

/**
 * Serves until the signal is aborted, or until the parent process closes its IPC channel to this process.
 * @param onServing called with the address when the server answers
 */
export async function serve(
  open: OpenOptions,
  { json, quiet, color, host, port, token, poll, readOnly, judge, metrics, logFormat }: ServeOptions,
  signal: AbortSignal,
  onServing: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  // Loaded here so that other commands start without it.
  const { startServer } = await import('../http/start-server.ts');
  const asJson = logFormat === 'json';
  const silent = quiet === true || (json === true && !asJson);
  const progress = createProgress(readTerminal(color), silent || asJson);
  const note = (line: string) => {
    if (!silent) process.stderr.write(`${line}\n`);
  };
  const { serving, stopping, stopped, ...heard } = (asJson ? createJsonLog : createTextLog)(note);
  const server = await startServer({
    open: { ...open, onGivenBack: collectGarbage },
    ...defined({ host, port, token, poll, readOnly, judge, metrics }),
    asText: async (...answer) => (await import('./views/show.ts')).asText(...answer),
    onProgress(done) {
      progress.onProgress(done);
      if (done.done === done.total) progress.stop();
    },
    onReady: letGrow,
    ...heard,
  });
  const { url, indexPath } = server;
  if (json) process.stdout.write(`${safeJson({ url, index_path: indexPath, pid: process.pid })}\n`);
  else if (!asJson) process.stdout.write(`${oneLine(`Serving ${indexPath} at ${url}`)}\n`);
  serving(url, indexPath);
  const over = ended(signal);
  await onServing(url);
  await over;
  process.exitCode = 0;
  setTimeout(() => process.exit(), MAX_EXIT_MS).unref();
  progress.stop();
  stopping();
  await server.close();
  stopped();
}

export function describeOpen(command: Command): Command {
  return command
    .summary('open the page of an index in your browser')
    .description(
      'Open the page of an index in your browser. If no server runs for the index, this command is the server, and ' +
        'Ctrl-C ends it. The environment variable BROWSER names the browser; otherwise, the system chooses it.',
    )
    .option('--query <text>', 'open the page at a query')
    .option('--no-browser', 'print the address, and start no browser')
    .option(
      '--port <number>',
      'port of a server that this command starts (default: 7331, or a free one)',
      toPort,
    );
}

/** `mcp` also contains the command `mcp install`. */
export function describeMcp(group: Command): Command {
  return group.description(
    'Serve an assistant over MCP, on stdin and stdout. Assistants start this command themselves; docfuse mcp install ' +
      'says what to write into their configuration. While docfuse serve runs for the same index, this command asks that ' +
      'server and holds no second copy of the index.',
  );
}

/** Serves until the assistant disconnects. Only messages of the protocol are printed on stdout. */
export async function serveMcp(
  open: OpenOptions,
  { server, quiet }: SharedOptions,
  signal: AbortSignal,
): Promise<void> {
  // Loaded here so that other commands start without it.
  const { serveStdio } = await import('../mcp/serve-stdio.ts');
  const { noteSecondIndex } = await import('../operations/install-mcp.ts');
  const say = (line: string) => {
    if (!quiet) process.stderr.write(`${oneLine(line)}\n`);
  };
  // No note if folders are named: then the user has chosen what the assistant may read.
  const note = quiet || open.roots ? undefined : await noteSecondIndex(open, 'docfuse mcp');
  if (note) say(note);
  await serveStdio({
    open: { ...open, onGivenBack: collectGarbage },
    attach: server,
    signal,
    onReady: letGrow,
    onLeftOut: ({ message, remedy }) => say(`${message} ${remedy}`),
    onStart(address) {
      if (address !== undefined) say(`Asking the server at ${address}`);
      if (process.stdin.isTTY) say('Waiting for an assistant on stdin; Ctrl-C stops.');
    },
  });
  // Running work must not outlive the assistant.
  process.exit(0);
}

function toPort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('It is not a port, 0–65535.');
}
