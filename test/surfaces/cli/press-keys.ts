/** Answers questions in a real terminal with single keys, as a person does. */
import { spawn } from '@lydell/node-pty';
import { BIN, type Playground } from './docfuse.ts';

/**
 * Presses one key at each prompt for a grade, `q` when there are no more; the name of a signal sends it in place of a key.
 * @returns the exit code and all that the terminal showed
 */
export async function pressKeys(
  { folder, env }: Playground,
  args: readonly string[],
  keys: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const terminal = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { ...env, TERM: 'xterm' },
    cols: 200,
  });
  let output = '';
  let asked = 0;
  terminal.onData((data) => {
    output += data;
    const prompts = output.split('[0/1/2/-/q] ').length - 1;
    for (; asked < prompts; asked++) {
      const key = keys[asked] ?? 'q';
      if (key.startsWith('SIG')) terminal.kill(key);
      else terminal.write(key);
    }
  });
  const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
  return { exitCode, output };
}
