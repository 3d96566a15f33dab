/** The command `worker`: embeds passages that other machines index. */
import { type Command, createOption } from 'commander';
import { count } from '../../core/text/format-numbers.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { LOG_FORMATS, logLine } from './serve-log.ts';
import type { SharedOptions } from './shared-options.ts';

export interface WorkerCommandOptions extends SharedOptions {
  readonly once?: boolean;
  readonly logFormat?: (typeof LOG_FORMATS)[number];
}

/** Milliseconds between lines of progress. */
const LINE_EVERY = 10_000;

export function describeWorker(command: Command): Command {
  return command
    .summary('embed passages that other machines index')
    .description(
      'Embed passages that other machines index and publish to PostgreSQL, if postgres.workers is set there. A worker needs ' +
        'their model and no documents; any number can run. If one is stopped or killed, the others and the indexing machine ' +
        'embed its passages. Ctrl-C or SIGTERM ends it after the passages at hand.',
    )
    .option('--once', 'end when no passage waits')
    .addOption(
      createOption('--log-format <name>', 'log for people or as JSON (default: text)').choices(LOG_FORMATS),
    );
}

export async function work(
  open: OpenOptions,
  { quiet, once, logFormat }: WorkerCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  // Loaded here so that other commands start without it.
  const { openWorker } = await import('../../engine/open-worker.ts');
  const say = (line: string, level: 'info' | 'warning' = 'info') => {
    if (quiet) return;
    const event = level === 'info' ? 'note' : level;
    const shown = logFormat === 'json' ? logLine(level, event, { message: line }) : oneLine(line);
    process.stderr.write(`${shown}\n`);
  };
  const worker = await openWorker(open);
  let embedded = 0;
  let since: { readonly at: number; readonly embedded: number } | undefined;
  try {
    if (worker.leftOut) say(`${worker.leftOut.message} ${worker.leftOut.remedy}`, 'warning');
    say(`Embedding for ${worker.database} with ${worker.models.join(' and ')}. Ctrl-C stops.`);
    await worker.run({
      signal,
      once: once === true,
      onNote: (line) => say(line, 'warning'),
      onEmbedded(passages) {
        const at = performance.now();
        since ??= { at, embedded };
        embedded += passages;
        const seconds = (at - since.at) / 1000;
        if (seconds * 1000 < LINE_EVERY) return;
        say(
          `Embedded ${count(embedded)} passages, ${((embedded - since.embedded) / seconds).toFixed(1)} a second`,
        );
        since = { at, embedded };
      },
    });
  } finally {
    await worker.close();
  }
  say(`Embedded ${count(embedded)} passages in all.`);
}
