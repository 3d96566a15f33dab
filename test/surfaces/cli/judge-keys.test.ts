/** Judging by single keys, as a person at a terminal does. */
import { spawn } from '@lydell/node-pty';
import { afterAll, expect, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'notes/tea.md': '# Tea\n\nGreen.\n',
  'notes/ink.md': '# Ink\n\nBlack.\n',
});
afterAll(() => playground[Symbol.dispose]());

test.skipIf(process.platform === 'win32')(
  'keys need no Enter, others are asked again, Ctrl-C ends and keeps',
  async () => {
    const terminal = spawn(process.execPath, [BIN, 'judge', 'green tea', 'notes'], {
      cwd: playground.folder,
      env: { ...playground.env, TERM: 'xterm' },
      cols: 200,
    });
    const keys = ['x', '2', '\u0003'];
    let output = '';
    let asked = 0;
    terminal.onData((data) => {
      output += data;
      const prompts = output.split('[0/1/2/-/q] ').length - 1;
      for (; asked < prompts; asked++) terminal.write(keys[asked] ?? 'q');
    });
    const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
    expect(exitCode).toBe(0);
    // No bar is left on the screen, and the cursor is back, before the first question.
    expect(output).toMatch(/\u001b\[\?25h[^\n]*\r\n1 of 2 {2}tea\.md/);
    expect(output).toContain('[0/1/2/-/q] x\r\n');
    expect(output).toMatch(/\n2 {2}tea\.md\r\n/);
    expect(output).not.toMatch(/\n\d {2}ink\.md/);
    expect(output).toContain('which holds 1 query now');
  },
);
