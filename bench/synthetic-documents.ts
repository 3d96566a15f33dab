/** Documents and queries made of common words, the same ones every time. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Frequent words come first: word number n is drawn about 1/n as often as the first, as in real text. */
const WORDS = [
  ...['the', 'of', 'server', 'token', 'request', 'index', 'value', 'error', 'file', 'search', 'user', 'key'],
  ...['cache', 'query', 'result', 'default', 'option', 'setting', 'document', 'header', 'rotate', 'client'],
  ...['score', 'ranking', 'vector', 'memory', 'thread', 'release', 'version', 'upgrade', 'migrate', 'schema'],
  ...['table', 'column', 'filter', 'limit', 'timeout', 'retry', 'stream', 'buffer', 'encode', 'decode'],
  ...['signature', 'certificate', 'permission', 'backup', 'restore', 'cluster', 'replica', 'partition'],
  ...['latency', 'throughput', 'calibration', 'threshold', 'embedding', 'tokenizer', 'segment', 'tombstone'],
];

/** So many words, drawn by Zipf's law; every maker of words begins anew. */
export type Words = (count: number) => string;

export function createWords(): Words {
  const random = randomIndexes();
  return (count) => Array.from({ length: count }, () => WORDS[random.next().value]).join(' ');
}

/** Writes documents of a title, four sections and about 2,500 characters. */
export async function writeDocuments(target: string, count: number, words: Words): Promise<string> {
  await mkdir(target, { recursive: true });
  for (let number = 0; number < count; number++) {
    const sections = Array.from({ length: 4 }, () => `## ${words(3)}\n\n${words(40)}.\n\n${words(50)}.\n`);
    await writeFile(join(target, `${number}.md`), `# ${words(4)}\n\n${words(20)}.\n\n${sections.join('\n')}`);
  }
  return target;
}

/** Positions in `WORDS` by Zipf's law, from a linear congruential generator (Park and Miller 1988). */
function* randomIndexes(): Generator<number, never> {
  for (let state = 42; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield Math.floor(WORDS.length ** (state / 2_147_483_647)) - 1;
  }
}
