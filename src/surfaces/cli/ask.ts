/** Asks the person at the terminal, or whatever writes to stdin, for one of a few answers. */
import { printable } from './terminal.ts';

/** Ctrl-C and Ctrl-D, which a terminal in raw mode hands on as they are. */
const END_KEYS = ['\u0003', '\u0004'];

/**
 * A key on a terminal, else a line; asks again for anything else. Questions go to stderr.
 * @returns undefined when the input ends, or on Ctrl-C
 */
export function createAsk(): (question: string, answers: readonly string[]) => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined;
  return async (question, answers) => {
    process.stderr.write(`\n${printable(question)}\n`);
    for (;;) {
      process.stderr.write(`[${answers.join('/')}] `);
      lines ??= process.stdin.isTTY ? keys() : await typedLines();
      const { value, done } = await lines.next();
      process.stderr.write('\n');
      if (done) return undefined;
      const typed = value.trim().toLowerCase();
      if (answers.includes(typed)) return typed;
    }
  };
}

/** The library is loaded with the first question: most commands ask none. */
async function typedLines(): Promise<AsyncIterator<string>> {
  const { createInterface } = await import('node:readline');
  return createInterface({ input: process.stdin })[Symbol.asyncIterator]();
}

/** Raw mode lasts until keys come, so that the terminal is never left in it; pasted keys count one by one. */
async function* keys(): AsyncGenerator<string, undefined> {
  for (;;) {
    process.stdin.setRawMode(true);
    process.stdin.resume();
    const typed = await new Promise<string>((resolve) => {
      process.stdin.once('data', (data) => resolve(String(data)));
    });
    process.stdin.setRawMode(false);
    process.stdin.pause();
    for (const key of typed) {
      if (END_KEYS.includes(key)) return undefined;
      process.stderr.write(printable(key));
      yield key;
    }
  }
}
