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

/** @param vocabulary how many different words there are at most: a number far above that of `WORDS` makes most of them rare. */
export function createWords(vocabulary = WORDS.length): Words {
  const random = randomIndexes(vocabulary);
  const wordOf = (index: number) => WORDS[index] ?? rareWord(index);
  return (count) => Array.from({ length: count }, () => wordOf(random.next().value)).join(' ');
}

/** Syllables of a consonant and a vowel: the digits of `index` to the base 100. */
function rareWord(index: number): string {
  const syllable = `${'bcdfghjklmnprstvwxyz'[index % 20]}${'aeiou'[Math.floor(index / 20) % 5]}`;
  return index < 100 ? syllable : rareWord(Math.floor(index / 100)) + syllable;
}

/**
 * Writes documents of a title, four sections and about 2,500 characters.
 * @param linked whether each document has a link to another one. @default false
 */
export async function writeDocuments(
  target: string,
  count: number,
  words: Words,
  linked = false,
): Promise<string> {
  await mkdir(target, { recursive: true });
  for (let number = 0; number < count; number++) {
    const sections = Array.from({ length: 4 }, () => `## ${words(3)}\n\n${words(40)}.\n\n${words(50)}.\n`);
    const link = linked ? `See [${words(2)}](${number >> 1}.md).\n\n` : '';
    const text = `# ${words(4)}\n\n${words(20)}.\n\n${link}${sections.join('\n')}`;
    await writeFile(join(target, `${number}.md`), text);
  }
  return target;
}

/** Numbers of words by Zipf's law, from a linear congruential generator (Park and Miller 1988). */
function* randomIndexes(vocabulary: number): Generator<number, never> {
  for (let state = 42; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield Math.floor(vocabulary ** (state / 2_147_483_647)) - 1;
  }
}
