/** Takes the output of a process apart at one mark and no other: readline also ends lines at U+2028, which JSON may hold. */
import type { Readable } from 'node:stream';

/** What stands between marks, the next each time; undefined when there is no more. */
export function separated(stream: Readable, mark: string): () => Promise<string | undefined> {
  const parts = read(stream, mark);
  return async () => (await parts.next()).value;
}

async function* read(stream: Readable, mark: string): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const parts = (rest + text).split(mark);
    rest = parts.pop()!;
    yield* parts;
  }
}
