/** Carries out one command: the operation with progress, then its answer as JSON or text. */
import type { z } from 'zod';
import type { OpenOptions } from '../../engine/api.ts';
import { type OperationContext, runOperation } from '../operations/operation.ts';
import { createAsk } from './ask.ts';
import { createLocate } from './locate.ts';
import { commandOf, readInput, spellField } from './options.ts';
import type { Invocation } from './program.ts';
import { createProgress } from './progress.ts';
import { parseSettings } from './set.ts';
import { printable, readTerminal } from './terminal.ts';
import { type ViewEntry, views } from './views/views.ts';

/**
 * @param signal stops the work at the next point where nothing is lost
 * @returns the exit code: 1 when the answer is bad news
 */
export async function execute(invocation: Invocation, signal: AbortSignal): Promise<number> {
  const { operation, args, options, shared } = invocation;
  const terminal = readTerminal(shared.color);
  const silent = shared.quiet === true || shared.json === true;
  const open = toOpenOptions(invocation);
  const progress = await createProgress(terminal, silent);
  const onText = (text: string) => {
    progress.stop();
    process.stdout.write(printable(text));
  };
  const wording = {
    spell: spellField(operation),
    remedy: `docfuse ${commandOf(operation)} --help lists what is allowed.`,
  };
  const work = runOperation<z.ZodObject>(
    operation,
    createContext(open, progress.stop),
    readInput(operation, args, options),
    { signal, onProgress: progress.onProgress, ...(!shared.json && { onText }) },
    wording,
  );
  const output = await work.finally(progress.stop);
  // The table pairs every view with its own operation; across the union the compiler cannot see it.
  const entry = views[operation.name] as ViewEntry<unknown>;
  const code = entry.failed?.(output) ? 1 : 0;
  if (shared.json) {
    process.stdout.write(`${JSON.stringify(output, undefined, 2)}\n`);
    return code;
  }
  const view = await entry.load();
  view.show(output, {
    terminal,
    options,
    locate: await createLocate(open),
    print: (line) => process.stdout.write(`${line}\n`),
    note: (line) => {
      if (!silent) process.stderr.write(`${line}\n`);
    },
  });
  return code;
}

/** `-n 5 --files` means five files, so each is asked for once. */
function toOpenOptions({ paths, shared, options }: Invocation): OpenOptions {
  const set = [...(options.files ? ['search.max_chunks_per_doc=1'] : []), ...(shared.set ?? [])];
  return {
    ...(paths.length > 0 && { roots: paths }),
    ...(shared.index !== undefined && { indexPath: shared.index }),
    ...(shared.config !== undefined && { config: shared.config }),
    ...(set.length > 0 && { settings: parseSettings(set) }),
  };
}

/** The engine is loaded with the first index that is opened. */
function createContext(options: OpenOptions, stopProgress: () => void): OperationContext {
  const ask = createAsk();
  return {
    options,
    now: () => Date.now(),
    ask(question, answers) {
      // A bar would draw over the question.
      stopProgress();
      return ask(question, answers);
    },
    async open() {
      const { open } = await import('../../engine/open.ts');
      return open(options);
    },
  };
}
