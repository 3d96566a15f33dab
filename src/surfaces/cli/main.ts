/** Start of the command line: parses, carries out, and turns every outcome into an exit code. */
import { CommanderError } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { MAX_ASKED } from '../operations/asked-text.ts';
import { reportFailure } from './failure.ts';
import { listenForInterrupt } from './interrupt.ts';
import { serveMcp } from './mcp.ts';
import { createProgram } from './program.ts';
import { serve } from './serve.ts';
import { commandTyped } from './unknown-name.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader went away, as `head` does when it has enough.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  // Notes that nobody reads are no reason to stop.
  if (error.code !== 'EPIPE') throw error;
});

const SHORTEN = 'Ask with fewer words; the model reads no more than the first few hundred.';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  const interrupt = listenForInterrupt(() => {
    if (!json)
      process.stderr.write('\nStopping; what is done is kept. Press Ctrl-C again to stop at once.\n');
  });
  if (args.join('').length > MAX_ASKED) {
    const limit = MAX_ASKED.toLocaleString('en');
    const problem = new DocfuseError(
      'usage',
      `The query, with what stands after it, is longer than ${limit} characters.`,
      SHORTEN,
    );
    return reportFailure(problem, { json, debug: false, color: false, command: 'docfuse' });
  }
  let code = 0;
  const program = createProgram(
    {
      async operation(invocation) {
        // Loaded here so that --help and --version start without it.
        const { execute } = await import('./execute.ts');
        code = await execute(invocation, interrupt);
      },
      async serve(paths, options, shared) {
        const { toOpenOptions } = await import('./open-options.ts');
        interrupt.expect();
        await serve(toOpenOptions(paths, shared), options, shared, interrupt.signal);
      },
      async mcp(paths, shared) {
        const { toOpenOptions } = await import('./open-options.ts');
        interrupt.expect();
        await serveMcp(toOpenOptions(paths, shared), shared, interrupt.signal);
      },
    },
    args,
  );
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    // Commander prints help when no command is given; that is wrong usage, and needs no more words.
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return 2;
    const interrupted = interrupt.exitCode();
    if (interrupted !== undefined) return interrupted;
    const color = !args.includes('--no-color');
    const command = commandTyped(program, args);
    return reportFailure(thrown, { json, debug: args.includes('--debug'), color, command });
  }
}
