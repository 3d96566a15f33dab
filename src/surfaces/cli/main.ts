/** Starts the command line: parses the arguments, runs the command, and turns every outcome into an exit code. */
import { CommanderError } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { MAX_ASKED } from '../../engine/check-options.ts';
import { reportFailure } from './failure.ts';
import { listenForInterrupt } from './interrupt.ts';
import { createProgram, shortHelp } from './program.ts';
import { expandHelp, searchFor, type TypedCommand, typedCommand, withoutList } from './unknown-name.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe, as `head` does after its last line.
  if (error.code === 'EPIPE') process.exit(0);
  const problem = new DocfuseError(
    'storage',
    `Cannot write to stdout: ${error.message}.`,
    'Free some space, or write the output to another place.',
    { cause: error },
  );
  process.exit(report(problem));
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  // If the reader of stderr is gone, the work continues.
  if (error.code !== 'EPIPE') throw error;
});

const args: readonly string[] = process.argv.slice(2);
const json = args.includes('--json');

// Kept if the command waits for something that never comes: Node itself ends with this code for modules, but with 0 for scripts.
process.exitCode = 13;

/** Settled when the command has ended. The bundle is a script, which cannot wait here. */
export const ended = main().then((code) => {
  process.exitCode = code;
});

async function main(): Promise<number> {
  const interrupt = listenForInterrupt(() => {
    if (!json)
      process.stderr.write('\nStopping; finished work is kept. Press Ctrl-C again to stop at once.\n');
  });
  if (args.join('').length > MAX_ASKED) {
    const problem = new DocfuseError(
      'usage',
      `The query and its options are longer than ${MAX_ASKED.toLocaleString('en')} characters.`,
      'Use fewer words: the model reads only the first few hundred.',
    );
    return report(problem);
  }
  let code = 0;
  const program = createProgram(
    {
      async operation(invocation) {
        // Loaded here so that --help and --version start without it.
        const { execute } = await import('./execute.ts');
        code = await execute(invocation, interrupt);
      },
      async server(work, paths, options) {
        const { toOpenOptions } = await import('./open-options.ts');
        interrupt.expect();
        await work(toOpenOptions(paths, options), options, interrupt.signal);
      },
    },
    args,
  );
  try {
    if (args.length === 0) {
      process.stdout.write(shortHelp(program));
      return 0;
    }
    await program.parseAsync(searchFor(program, expandHelp(program, withoutList(args))), { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    // Commander has printed help because no command was given. This is wrong usage; the help serves as the message.
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return 2;
    const interrupted = interrupt.exitCode();
    if (interrupted !== undefined) return interrupted;
    return report(thrown, typedCommand(program, args));
  }
}

function report(thrown: unknown, typed?: TypedCommand): number {
  // The arguments may not be parsed yet, so search their text.
  const color = /(^| )--(no-color|color[= ]never)( |$)/.test(args.join(' ')) ? 'never' : 'auto';
  return reportFailure(thrown, { json, debug: args.includes('--debug'), color }, typed);
}
