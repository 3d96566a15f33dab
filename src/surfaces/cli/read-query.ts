/** Handles two special queries: `-`, which means standard input, and the name of a folder. */
import { statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DocfuseError } from '../../core/errors.ts';

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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
