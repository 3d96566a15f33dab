/** Judging by single keys, as a person at a terminal does. */
import { spawn } from '@lydell/node-pty';
import { afterAll, describe, expect, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'notes/tea.md': '# Tea\n\nGreen.\n',
  'notes/ink.md': '# Ink\n\nBlack.\n',
});
afterAll(() => playground[Symbol.dispose]());

/** Presses one key at each prompt; the exit code and all that the terminal showed. */
async function judge(keys: readonly string[]) {
  const terminal = spawn(process.execPath, [BIN, 'judge', 'green tea', 'notes'], {
    cwd: playground.folder,
    env: { ...playground.env, TERM: 'xterm' },
    cols: 200,
  });
  let output = '';
  let asked = 0;
  terminal.onData((data) => {
    output += data;
    const prompts = output.split('[0/1/2/-/q] ').length - 1;
    for (; asked < prompts; asked++) {
      const key = keys[asked] ?? 'q';
      if (key === 'SIGINT') terminal.kill(key);
      else terminal.write(key);
    }
  });
  const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
  return { exitCode, output };
}

describe.skipIf(process.platform === 'win32')('judging by keys', () => {
  test('they need no Enter, others are asked again, Ctrl-C ends and keeps', async () => {
    const { exitCode, output } = await judge(['x', '2', '\u0003']);
    expect(exitCode).toBe(0);
    // No bar is left on the screen, and the cursor is back, before the first question.
    expect(output).toMatch(/\u001b\[\?25h[^\n]*\r\n1 of 2 {2}tea\.md/);
    expect(output).toContain('[0/1/2/-/q] x\r\n');
    expect(output).toMatch(/\n2 {2}tea\.md\r\n/);
    expect(output).not.toMatch(/\n\d {2}ink\.md/);
    expect(output).toContain('which holds 1 query now');
  });

  test('a signal ends the question that waits, and what was typed is kept', async () => {
    const { exitCode, output } = await judge(['1', 'SIGINT']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/\n1 {2}tea\.md\r\n/);
    expect(output).toContain('which holds 1 query now');
  });
});
