/** Reads what is typed or piped: answers to questions, and a query `-`, which means standard input. */
import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DocfuseError } from '../../core/errors.ts';
import { manyLines, oneLine } from '../../core/text/one-line.ts';
import { isFolder } from '../../engine/path-inside.ts';

/** Replaces a query `-` by the text of standard input. @throws DocfuseError `usage` if that text is empty */
export async function readQuery(input: Record<string, unknown>, signal: AbortSignal): Promise<void> {
  for (const name of ['query', 'question'] as const) {
    if (input[name] !== '-') continue;
    const given = (await text(addAbortSignal(signal, process.stdin))).trim();
    if (given === '')
      throw new DocfuseError(
        'usage',
        'Standard input holds no query.',
        'Pipe a query into the command, or type the query in place of -.',
      );
    input[name] = given;
  }
}

/** Prints a note if the query is the name of a folder: it is searched for as a word, but few users mean that. */
export function noteFolder(
  { query }: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  note: (line: string) => void,
): void {
  if (typeof query !== 'string' || paths.length > 0 || !isFolder(query)) return;
  note(
    `“${query}” is a folder, and was searched for as a word. To search in it: docfuse search QUERY ${query}`,
  );
}

/** Ctrl-C and Ctrl-D: a terminal in raw mode passes them on as characters. */
const END_KEYS = ['\u0003', '\u0004'];

/**
 * Returns a function that asks a question on stderr, and asks again until the answer is one of `answers`. An answer is a key on a
 * terminal, otherwise a line of stdin. The answer is undefined on Ctrl-C, at the end of stdin, and when `signal` is aborted.
 */
export function createAsk(
  signal: AbortSignal,
): (question: string, answers: readonly string[]) => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined;
  return async (question, answers) => {
    process.stderr.write(`\n${manyLines(question)}\n`);
    for (;;) {
      lines ??= process.stdin.isTTY ? keys(signal) : await typedLines(signal);
      // Listen before the prompt is shown: a quick key press must find the terminal in raw mode.
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

/** Reads lines of stdin. Loads node:readline only here, because most commands ask nothing. */
async function typedLines(signal: AbortSignal): Promise<AsyncIterator<string>> {
  const { createInterface } = await import('node:readline');
  return createInterface({ input: process.stdin, signal })[Symbol.asyncIterator]();
}

/** Yields keys one by one, also pasted ones. Raw mode is on only while waiting for a key, so it is off when the command ends. */
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
