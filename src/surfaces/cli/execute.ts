/** Carries out one command: the operation with progress, then its answer as JSON or text. */
import type * as z from 'zod';
import { manyLines, oneLine, safeJson } from '../../core/text/one-line.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { type Config, loadConfig } from '../../engine/config/config.ts';
import { type IndexLocation, locateIndex } from '../../engine/config/locate-index.ts';
import { askServer } from '../attach/ask-server.ts';
import { findServer } from '../attach/find-server.ts';
import {
  type AskServer,
  type Operation,
  type OperationContext,
  runOperation,
} from '../operations/operation.ts';
import { createAsk } from './ask.ts';
import { fitWidth } from './fit-width.ts';
import { collectBeforeEmbedding, collectOften } from './garbage.ts';
import type { Interrupt } from './interrupt.ts';
import { createLocate } from './locate.ts';
import { openOnce } from './open-once.ts';
import { toOpenOptions } from './open-options.ts';
import { commandOf, readInput, spellField } from './options.ts';
import type { Invocation } from './program.ts';
import { createProgress } from './progress.ts';
import { readTerminal } from './terminal.ts';
import { fromHere } from './typed-paths.ts';
import { type ViewEntry, views } from './views/views.ts';
import { watchFiles } from './watch.ts';

/**
 * @param interrupt stops the work at the next point where nothing is lost
 * @returns the exit code: 1 when the answer is bad news
 */
export async function execute(invocation: Invocation, interrupt: Interrupt): Promise<number> {
  const { signal } = interrupt;
  const { operation, args, paths, options, shared } = invocation;
  const { http, cli, writesIndex = false }: Operation = operation;
  const terminal = readTerminal(shared.color);
  const silent = shared.quiet === true || shared.json === true;
  const open = toOpenOptions(paths, shared);
  const progress = createProgress(terminal, silent);
  let lineIsOpen = false;
  const onText = (text: string) => {
    progress.stop();
    process.stdout.write(manyLines(text));
    lineIsOpen = !text.endsWith('\n');
  };
  const wording = {
    spell: spellField(operation),
    remedy: `docfuse ${commandOf(operation)} --help lists what is allowed.`,
  };
  // Said under --json too, to stderr: a script that waits must not look as if it hung.
  const warn = (line: string) => {
    if (!shared.quiet) process.stderr.write(`${fitWidth(oneLine(line), terminal.limits.stderr)}\n`);
  };
  let located: IndexLocation | undefined;
  const location = () => {
    if (located) return located;
    located = locateIndex(open);
    sayLeftOut(located.config);
    return located;
  };
  const sayLeftOut = ({ leftOut }: Config) => {
    // Doctor checks it.
    if (leftOut && operation.name !== 'doctor') warn(`${leftOut.message} ${leftOut.remedy}`);
  };
  // `-n 5 --files` means five files.
  const chosen = options.files ? { perDocument: 1, ...options } : options;
  const input = fromHere(readInput(invocation, args, chosen), location, process.cwd());
  const control = {
    signal,
    ...((!silent || writesIndex) && {
      onProgress: collectBeforeEmbedding(progress.onProgress),
    }),
    ...(!shared.json && { onText }),
  };
  const note = (line: string) => {
    if (!silent) warn(line);
  };
  const tell = (line: string) => {
    progress.stop();
    warn(line);
  };
  const write = (text: string) => void process.stdout.write(`${text}\n`);
  const print = (line: string, indent?: number) => write(fitWidth(line, terminal.limits.stdout, indent));
  const runningServer = () => (shared.server ? findServer(location()) : undefined);
  const watch = options.watch
    ? await watchFiles({
        ...{ poll: options.poll === true, json: shared.json === true, findServer: runningServer },
        ...{ print, note, warn, signal },
      })
    : undefined;
  async function ask() {
    const server = http ? runningServer() : undefined;
    const answer = server && (await askServer<z.ZodObject>(server, operation, input, control, wording));
    if (answer) return answer;
    collectOften();
    await using index = openOnce(open);
    // Judged sets are opened with the settings alone.
    if (!cli?.paths && !cli?.standalone) sayLeftOut(loadConfig({ ...open, corpora: ['.'] }));
    const openHere = async () => {
      location();
      return await index.open();
    };
    const own = createContext(open, openHere, signal, progress.stop, async (...request) => {
      const running = runningServer();
      return running && askServer(running, ...request);
    });
    const context = { ...own, tell };
    const run = () => runOperation<z.ZodObject>(operation, context, input, control, wording);
    if (!writesIndex || input.dry_run === true) return await run();
    const { waitForWriters } = await import('./wait-for-writers.ts');
    const writing = async () => {
      await watch?.begin();
      return run();
    };
    const waiting = { findServer: runningServer, embed: input.embed !== false, note: warn, ...control };
    return await waitForWriters(writing, waiting);
  }
  const output = await ask()
    .catch((error: unknown) => {
      // What failed is said on a line of its own; an interrupt has ended the line already.
      if (lineIsOpen && !signal.aborted) process.stdout.write('\n');
      throw error;
    })
    .finally(progress.stop);
  // The table pairs every view with its own operation; across the union the compiler cannot see it.
  const entry = views[operation.name] as ViewEntry<Operation>;
  const code = entry.failed?.(output) ? 1 : 0;
  if (shared.json) write(safeJson(output, 2));
  else {
    const view = await entry.load();
    view.show(output, { terminal, options, locate: createLocate(location), print, write, note });
  }
  if (watch) {
    interrupt.expect();
    await watch.follow(open);
  }
  return code;
}

function createContext(
  options: OpenOptions,
  open: OperationContext['open'],
  signal: AbortSignal,
  stopProgress: () => void,
  askServer: AskServer,
): OperationContext {
  const ask = createAsk(signal);
  return {
    options,
    open,
    askServer,
    now: () => Date.now(),
    ask(question, answers) {
      // A bar would draw over the question.
      stopProgress();
      return ask(question, answers);
    },
  };
}
