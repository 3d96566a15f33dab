/** Runs one command: runs the operation and shows progress, then prints the answer as JSON or text. */
import { existsSync } from 'node:fs';
import type * as z from 'zod';
import { lazyConstant } from '../../core/text/lazy-constant.ts';
import { manyLines, oneLine, safeJson } from '../../core/text/one-line.ts';
import { type Config, loadConfig } from '../../engine/config/config.ts';
import { type IndexLocation, locateIndex } from '../../engine/config/locate-index.ts';
import { lendIndex } from '../../engine/shared-index.ts';
import { createLazyResource } from '../../engine/tasks.ts';
import { askServer } from '../attach/ask-server.ts';
import { findServer } from '../attach/discovery-file.ts';
import { MAX_LISTED } from '../operations/list.ts';
import { type Operation, type OperationContext, runOperation } from '../operations/operation.ts';
import { type ChosenIndex, chooseIndex, explainNothing } from './choose-index.ts';
import { adviceFor } from './failure.ts';
import { collectBeforeEmbedding, collectOften } from './garbage.ts';
import type { Interrupt } from './interrupt.ts';
import { toOpenOptions } from './open-options.ts';
import type { Found } from './open-outside.ts';
import { asksIndex, commandOf, readInput, spellField } from './options.ts';
import { createLocate, fromHere, narrowTo } from './paths.ts';
import type { Invocation } from './program.ts';
import { createProgress } from './progress.ts';
import { createAsk, noteFolder, readQuery } from './read-stdin.ts';
import { readTerminal } from './terminal.ts';
import { fitWidth } from './text-width.ts';
import { viewOptions } from './views/views.ts';
import { watchFiles } from './watch.ts';

/**
 * @param interrupt stops the work at the next point where nothing is lost
 * @returns the exit code: 1 if the answer is a failure, such as a failed check
 */
export async function execute(invocation: Invocation, interrupt: Interrupt): Promise<number> {
  const { signal } = interrupt;
  const { operation, args, paths, options, shared } = invocation;
  const { http, cli, writesIndex = false }: Operation = operation;
  const terminal = readTerminal(shared.color);
  const silent = shared.quiet === true || shared.json === true || options.jsonl === true;
  const progress = createProgress(terminal, silent, asksIndex(operation));
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
  // Printed under --json, too, so that a waiting command does not look as if it hung.
  const warn = (line: string) => {
    if (!shared.quiet) process.stderr.write(`${fitWidth(oneLine(line), terminal.limits.stderr)}\n`);
  };
  const note = (line: string) => {
    if (!silent) warn(line);
  };
  // With `--files`, find one hit per document: `-n 5 --files` then prints five files.
  const chosen = { perDocument: options.files ? 1 : undefined, topN: options.limit, ...options };
  const given = readInput(invocation, args, chosen);
  const asked = toOpenOptions(paths, shared);
  let chosenIndex: ChosenIndex = { open: asked };
  if (asksIndex(operation) && !options.newIndex) {
    chosenIndex = await chooseIndex(asked, given, operation, note).catch((error: unknown) => {
      // `doctor` continues, and reports this error in its answer.
      if (operation.name === 'doctor') return chosenIndex;
      throw error;
    });
  }
  const { open, within } = chosenIndex;
  const location = lazyConstant(() => {
    const located = locateIndex(open);
    sayLeftOut(located.config);
    return located;
  });
  const sayLeftOut = ({ leftOut }: Config) => {
    // No warning for `doctor`, which reports these settings in its answer.
    if (leftOut && operation.name !== 'doctor') warn(`${leftOut.message} ${leftOut.remedy}`);
  };
  const typed = fromHere(given, location, process.cwd());
  await readQuery(typed, signal);
  noteFolder(typed, paths, note);
  // If stdout is not a terminal, list all documents: a program reads them.
  if (operation.name === 'list' && !process.stdout.isTTY) typed.limit ??= MAX_LISTED;
  const input = within ? narrowTo(typed, within, location) : typed;
  const control = {
    signal,
    ...((!silent || writesIndex) && { onProgress: collectBeforeEmbedding(progress.onProgress) }),
    ...(!shared.json && { onText }),
  };
  const write = (text: string) => void process.stdout.write(`${text}\n`);
  const print = (line: string, indent?: number) => write(fitWidth(line, terminal.limits.stdout, indent));
  const runningServer = () => (shared.server ? findServer(location()) : undefined);
  const watching = { poll: options.poll === true, json: shared.json === true, print, note, warn, signal };
  const watch = options.watch ? await watchFiles({ ...watching, findServer: runningServer }) : undefined;
  // Loads the engine when an operation first needs the index. Later operations use the same index.
  const index = createLazyResource(async () => (await import('../../engine/open.ts')).open(open));
  async function ask() {
    const server = http && http.attach !== false ? runningServer() : undefined;
    const answer =
      server &&
      (await askServer<z.ZodObject>(server, operation, input, control, wording).catch((error) => {
        // A server does not say which files exist, so this process says why there is no such document.
        if (input.document === undefined || error.code !== 'not_found') throw error;
      }));
    if (answer) return answer;
    collectOften();
    // `corpora` replaces the configured collections: their folders may be missing, and `eval` and `tune` do not need them.
    if (!cli?.paths && !cli?.standalone) sayLeftOut(loadConfig({ ...open, corpora: ['.'] }));
    const askPerson = createAsk(signal);
    const context: OperationContext = {
      options: open,
      async open() {
        location();
        return lendIndex(await index.get());
      },
      async askServer(...request) {
        const running = runningServer();
        return running && askServer(running, ...request);
      },
      now: () => Date.now(),
      ask(question, answers) {
        // The progress bar would overwrite the question.
        progress.stop();
        return askPerson(question, answers);
      },
      tell(line) {
        progress.stop();
        warn(line);
      },
    };
    const run = () => runOperation<z.ZodObject>(operation, context, input, control, wording);
    if (!writesIndex || input.dry_run === true) return await run();
    const { waitForWriters } = await import('../attach/follow-server.ts');
    const embed = 'embed' in operation.input.shape && input.embed !== false;
    const writing = async () => {
      await watch?.begin();
      return run();
    };
    return await waitForWriters(writing, { findServer: runningServer, embed, note: warn, ...control });
  }
  const isNew = operation.name === 'search' && !existsSync(location().indexPath);
  const output = await ask()
    .finally(index.close)
    .then((answer) => explainNothing(answer, chosenIndex))
    .catch((error: unknown) => {
      // Ends the line of an unfinished text before the error is printed. On Ctrl-C, this line has already ended.
      if (lineIsOpen && !signal.aborted) process.stdout.write('\n');
      throw error;
    })
    .finally(progress.stop);
  const { index: searched } = output as { readonly index?: { readonly documents?: number } };
  if (isNew && searched?.documents === 0) await leaveNoIndex(location().indexPath);
  else if (isNew && input.sync !== false) noteNew(location(), note);
  const code = viewOptions(operation.name).failed?.(output, options) ? 1 : 0;
  const { hits = [], unsure = [] } = output as Partial<Found>;
  const isForm = options.jsonl || options.files || options.context;
  if (options.jsonl) {
    for (const hit of hits) write(safeJson(hit));
    (await import('./views/search.ts')).noteUnsure(unsure.length, '--jsonl', warn);
  } else if (shared.json) write(safeJson(output, 2));
  else {
    const { show } = await import('./views/show.ts');
    const advise = (text: string) => adviceFor(text, paths);
    const locate = createLocate(location);
    show[operation.name](output as never, { terminal, options, locate, print, write, advise, note });
  }
  if (options.open !== undefined) {
    const { openHit } = await import('./open-outside.ts');
    await openHit({ hits, unsure: isForm ? [] : unsure }, Number(options.open));
  }
  if (watch) {
    interrupt.expect();
    await watch.follow(open);
  }
  return code;
}

/** Says what a search has indexed, and where. An index on a server has no collections on this machine. */
function noteNew({ config, indexPath }: IndexLocation, note: (line: string) => void): void {
  const roots = config.collections.map(({ root }) => root).join(', ');
  if (roots) note(`Indexed ${roots}; the index lies in ${indexPath}.`);
}

/** Deletes an index that a search made of folders without documents. Keeps an index in a folder that the user named, or in use. */
async function leaveNoIndex(indexPath: string): Promise<void> {
  const { listIndexes, removeIndex } = await import('../../engine/open-indexes.ts');
  const made = listIndexes().indexes.find(({ folder }) => folder === indexPath);
  if (made) await removeIndex(made.name).catch(() => {});
}
