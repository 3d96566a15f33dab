/** Gives the command a terminal of its own, and returns all that it writes there. */
import { spawn } from '@lydell/node-pty';
import { BIN, type Playground } from './docfuse.ts';

export interface TerminalOptions {
  /** @default 100 */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Terminals of other kinds end lines and colour in ways of their own. */
export const HAS_TERMINAL = process.platform !== 'win32';

/** @returns exit code, and both streams as they come, with plain line feeds */
export function onTerminal(
  { folder, env }: Playground,
  args: readonly string[],
  { columns = 100, env: more = {} }: TerminalOptions = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const terminal = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color', ...more },
    cols: columns,
  });
  let output = '';
  terminal.onData((data) => {
    output += data;
  });
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number; readonly output: string }>();
  terminal.onExit(({ exitCode }) => resolve({ code: exitCode, output: output.replaceAll('\r\n', '\n') }));
  return promise;
}
