/** Judging by single keys, as a person at a terminal does. */
import { afterAll, describe, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { pressKeys } from './press-keys.ts';

const playground = createPlayground({
  'notes/tea.md': '# Tea\n\nGreen.\n',
  'notes/ink.md': '# Ink\n\nBlack.\n',
});
afterAll(() => playground[Symbol.dispose]());

const judge = (keys: readonly string[]) => pressKeys(playground, ['judge', 'green tea', 'notes'], keys);

describe.skipIf(process.platform === 'win32')('judging by keys', () => {
  test('they need no Enter, others are asked again, Ctrl-C ends and keeps', async () => {
    const { exitCode, output } = await judge(['x', '2', '\u0003']);
    expect(exitCode).toBe(0);
    // No bar is left on the screen, and the cursor is back, before the first question.
    expect(output).toMatch(/\u001b\[\?25h[^\n]*\r\n1 of 2 {2}tea\.md/);
    expect(output).toContain('[0/1/2/-/q] x\r\n');
    expect(output).toMatch(/\n2 {2}tea\.md\r\n/);
    expect(output).not.toMatch(/\n\d {2}ink\.md/);
    expect(output).toContain('which now has 1 query');
  });

  test('a signal ends the question that waits, and what was typed is kept', async () => {
    const { exitCode, output } = await judge(['1', 'SIGINT']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/\n1 {2}tea\.md\r\n/);
    expect(output).toContain('which now has 1 query');
  });
});
