/** Asks the person at the terminal, or whatever writes to stdin, for one of a few answers. */
import { once } from 'node:events';
import { manyLines, oneLine } from '../../core/text/one-line.ts';

/** Ctrl-C and Ctrl-D, which a terminal in raw mode hands on as they are. */
const END_KEYS = ['\u0003', '\u0004'];

/**
 * A key on a terminal, else a line; asks again for anything else. Questions go to stderr.
 * @param signal ends the question that waits, as the end of the input does
 * @returns undefined when the input ends, or on Ctrl-C
 */
export function createAsk(
  signal: AbortSignal,
): (question: string, answers: readonly string[]) => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined;
  return async (question, answers) => {
    process.stderr.write(`\n${manyLines(question)}\n`);
    for (;;) {
      lines ??= process.stdin.isTTY ? keys(signal) : await typedLines(signal);
      // Before the prompt: a key that is pressed as soon as it shows must find the terminal in raw mode.
      const next = lines.next();
      process.stderr.write(`[${answers.join('/')}] `);
      const { value, done } = await next;
      process.stderr.write(process.stdin.isTTY && !done ? `${oneLine(value)}\n` : '\n');
      if (done) return undefined;
      const typed = value.trim().toLowerCase();
      if (answers.includes(typed)) return typed;
    }
  };
}

/** The library is loaded with the first question: most commands ask none. */
async function typedLines(signal: AbortSignal): Promise<AsyncIterator<string>> {
  const { createInterface } = await import('node:readline');
  return createInterface({ input: process.stdin, signal })[Symbol.asyncIterator]();
}

/** Raw mode lasts until keys come, so that the terminal is never left in it; pasted keys count one by one. */
async function* keys(signal: AbortSignal): AsyncGenerator<string, undefined> {
  for (;;) {
    process.stdin.setRawMode(true);
    process.stdin.resume();
    const typed = await once(process.stdin, 'data', { signal }).catch(() => undefined);
    process.stdin.setRawMode(false);
    process.stdin.pause();
    if (!typed) return undefined;
    for (const key of String(typed[0])) {
      if (END_KEYS.includes(key)) return undefined;
      yield key;
    }
  }
}
