/** Fragments for spelling, one for each first letter. They are loaded only if a word of a query occurs nowhere. */
import { createDictionary, wordAt } from '../indexes/dictionary.ts';
import { nearWords } from '../indexes/near-words.ts';
import type { Segment } from '../indexes/segment.ts';
import type { NearWord } from '../model/query.ts';
import { compareText } from '../text/compare-text.ts';
import { type ByteReader, type ByteWriter, createReader, createWriter } from './bytes.ts';
import { type Fragment, type LoadFragment, loadOnce } from './facts.ts';

/** Words of at least three letters. Only words of at least four letters are corrected, so a correction has at least three. */
const WORD = /^\p{L}{3,}$/u;

/** A word of the collection as it is written, its term, and the number of passages that hold the term. */
interface Written {
  readonly word: string;
  readonly term: string;
  readonly passages: number;
}

/**
 * Yields the fragments.
 * @param lexicon words of the language. An export with an empty lexicon corrects no words
 * @returns the first letters, in the order of the fragments
 */
export function* cutSpellings(
  { surfaces, surfaceTerms, terms, unitFrequencies }: Segment,
  lexicon: Iterable<string>,
): Generator<Fragment, readonly string[]> {
  const words = [...lexicon].filter((word) => WORD.test(word)).sort(compareText);
  if (words.length === 0) return [];
  const written: Written[] = [];
  for (const [index, place] of surfaceTerms.entries()) {
    const word = wordAt(surfaces, index);
    if (WORD.test(word))
      written.push({ word, term: wordAt(terms, place), passages: unitFrequencies[place]! });
  }
  const known = Map.groupBy(words, firstLetter);
  const byLetter = [...Map.groupBy(written, ({ word }) => firstLetter(word))];
  for (const [number, [letter, held]] of byLetter.entries())
    yield { kind: 'spellings', number, bytes: encodeSpellings(held, known.get(letter) ?? []) };
  return byLetter.map(([letter]) => letter);
}

const firstLetter = (word: string) => String.fromCodePoint(word.codePointAt(0)!);

/** @param letters the first letter of each fragment. @returns a function that loads the fragments for given words */
export function createSpellingStore(letters: readonly string[], load: LoadFragment) {
  const fragments = loadOnce(async (number: number) => decodeSpellings(await load('spellings', number)));
  return async (words: readonly string[]) => {
    const first = new Set(words.map(firstLetter));
    const numbers = [...letters.keys()].filter((number) => first.has(letters[number]!));
    const loaded = new Map(
      await Promise.all(numbers.map(async (number) => [letters[number]!, await fragments(number)] as const)),
    );
    return {
      /** Like `CollectionWords.nearWords`, but returns only words with the same first letter. */
      nearWords(word: string, maxSlips: number): readonly NearWord[] {
        const found = loaded.get(firstLetter(word));
        return found ? nearWords([found.written], (term) => found.counts.get(term) ?? 0, word, maxSlips) : [];
      },
      /** Whether a folded word is a word of the language. Also true if no fragment is loaded for its first letter. */
      isWord: (word: string) => loaded.get(firstLetter(word))?.known.has(word) ?? true,
    };
  };
}

/** @param written in ascending order @param known words of the language, in ascending order */
function encodeSpellings(written: readonly Written[], known: readonly string[]): Uint8Array<ArrayBuffer> {
  const to = createWriter();
  const words = written.map(({ word }) => word);
  writeWords(to, words);
  for (const { word, term, passages } of written) {
    to.after(word, term);
    to.number(passages);
  }
  writeWords(to, known);
  return to.bytes();
}

function decodeSpellings(bytes: Uint8Array<ArrayBuffer>) {
  const from = createReader(bytes);
  const words = readWords(from);
  const terms = words.map((word) => ({ term: from.after(word), passages: from.number() }));
  return {
    written: {
      surfaces: createDictionary(words),
      surfaceTerms: Uint32Array.from(words.keys()),
      terms: createDictionary(terms.map(({ term }) => term)),
    },
    counts: new Map(terms.map(({ term, passages }) => [term, passages])),
    known: new Set(readWords(from)),
  };
}

function writeWords(to: ByteWriter, words: readonly string[]): void {
  to.number(words.length);
  for (const [at, word] of words.entries()) to.after(words[at - 1] ?? '', word);
}

function readWords(from: ByteReader): readonly string[] {
  let word = '';
  return Array.from({ length: from.number() }, () => (word = from.after(word)));
}
