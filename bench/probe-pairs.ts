/** Makes questions of kinds that are hard for a model out of documents' own headings, tables, lists and code. */

import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import type { ParsedDocument } from '../src/core/model/document.ts';
import { contrasts } from './contrast-pairs.ts';
import { fileNames, verbatimSentences } from './named-pairs.ts';
import { shuffle } from './shuffle.ts';
import { acronyms, longForms, writtenApart, writtenTogether } from './variant-pairs.ts';

export interface ProbePair {
  readonly kind: string;
  readonly query: string;
  /** The document that answers. */
  readonly path: string;
}

type Candidate = Omit<ProbePair, 'kind'>;

/** Characters above which a document is long: a dozen of our largest chunks. */
const LONG = 20_000;
const SEED = 20;

/** `heading` is the control: the same questions without their typos. `without` and `minus` are the same questions, in words and in syntax. */
const MAKERS: Readonly<Record<string, (vault: Vault) => Iterable<Candidate>>> = {
  heading: headings,
  'file name': ({ documents }) => fileNames(documents),
  sentence: ({ documents }) => verbatimSentences(documents),
  typo: misspeltHeadings,
  'identifier whole': identifiers,
  'identifier in words': spacedIdentifiers,
  number: numbers,
  'clause with a negation': negatedClauses,
  without: ({ documents }) => contrasts(documents, (subject, other) => `${subject} without ${other}`),
  minus: ({ documents }) => contrasts(documents, (subject, other) => `${subject} -${other}`),
  'one word': singleWords,
  table: tableRows,
  list: listItems,
  'long document': lateSentences,
  'short form': ({ documents }) => acronyms(documents),
  'long form': ({ documents }) => longForms(documents),
  'written together': ({ documents }) => writtenTogether(documents),
  'written apart': ({ documents }) => writtenApart(documents),
};

export const PROBE_KINDS: readonly string[] = Object.keys(MAKERS);

interface Vault {
  readonly documents: readonly ParsedDocument[];
  /** Documents that hold a word, by the lower-cased word. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** At most `count` questions of each kind, spread over documents; equal documents give equal questions. */
export function makeProbePairs(
  documents: readonly ParsedDocument[],
  count: number,
  kinds: readonly string[] = PROBE_KINDS,
): readonly ProbePair[] {
  const holders = new Map<string, Set<string>>();
  for (const { path, text } of documents) {
    for (const word of wordsOf(text)) holders.set(word, (holders.get(word) ?? new Set()).add(path));
  }
  const vault = { documents, holders };
  return kinds.flatMap((kind) => {
    const make = MAKERS[kind];
    if (make === undefined) throw new Error(`${kind} is no kind of question: ${PROBE_KINDS.join(', ')}`);
    const unique = new Map([...make(vault)].map((candidate) => [candidate.query.toLowerCase(), candidate]));
    return spread([...unique.values()])
      .slice(0, count)
      .map((candidate) => ({ kind, ...candidate }));
  });
}

/** Headings of at least two words that stand in one document only. */
function* headings({ documents }: Vault): Iterable<Candidate> {
  const places = documents.flatMap(({ path, sections }) =>
    sections.flatMap(({ headings: path_ }) =>
      path_.slice(-1).map((heading) => ({ path, query: plain(heading) })),
    ),
  );
  for (const own of Map.groupBy(places, ({ query }) => query.toLowerCase()).values()) {
    const [first] = own;
    const isClear = own.every(({ path }) => path === first!.path);
    if (isClear && longWords(first!.query).length >= 2) yield first!;
  }
}

/** The same headings with one slip in every word of five letters or more. */
function* misspeltHeadings(vault: Vault): Iterable<Candidate> {
  const random = randomNumbers(SEED);
  for (const { path, query } of headings(vault)) {
    const misspelt = query.replace(/\p{L}{5,}/gu, (word) => misspell(word, random));
    if (misspelt !== query) yield { path, query: misspelt };
  }
}

function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [before, here, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
  if (random() < 0.4 && here !== next) return before + next + here + after;
  return random() < 0.5 ? before + next + after : before + here + here + next + after;
}

const IDENTIFIER = /\b(?:[a-z]+(?:[A-Z][a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+)\b/g;

/** Names in code that one document holds. */
function* identifiers({ documents, holders }: Vault): Iterable<Candidate> {
  for (const { path, text } of documents) {
    const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '').join('\n');
    for (const [name] of code.matchAll(IDENTIFIER)) {
      if (holders.get(name.toLowerCase())?.size === 1) yield { path, query: name };
    }
  }
}

function* spacedIdentifiers(vault: Vault): Iterable<Candidate> {
  for (const { path, query } of identifiers(vault)) {
    yield {
      path,
      query: query
        .replaceAll('_', ' ')
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toLowerCase(),
    };
  }
}

/** A number that one document holds, with the word before it. */
function* numbers({ documents, holders }: Vault): Iterable<Candidate> {
  for (const { path, text } of documents) {
    for (const [, word, number] of text.matchAll(
      /(\p{L}{3,}) (\d{3,}|\d+\.\d+(?:\.\d+)?)(?![\d.]*[\p{L}\d])/gu,
    )) {
      const parts = number!.split('.');
      const isRare = parts.length > 1 || holders.get(number!)?.size === 1;
      if (isRare && documents.filter((each) => each.text.includes(number!)).length === 1) {
        yield { path, query: `${word} ${number}` };
      }
    }
  }
}

/**
 * Clauses of the text with their “not”, where other documents hold every word but say otherwise or nothing. They show whether order
 * and small words are seen, not whether “X without Y” is understood.
 */
function* negatedClauses({ documents, holders }: Vault): Iterable<Candidate> {
  const clause = /\b(?:without|never|cannot|can't|doesn't|don't|not|isn't) [^.,;:!?|`[\]()\n]{15,70}/gi;
  for (const { path, text } of documents) {
    for (const [found] of text.matchAll(clause)) {
      const content = longWords(found);
      const isCommon = content.every((word) => (holders.get(word.toLowerCase())?.size ?? 0) >= 3);
      const isElsewhere = documents.some((each) => each.path !== path && each.text.includes(found));
      if (content.length >= 3 && isCommon && !isElsewhere) yield { path, query: plain(found) };
    }
  }
}

/** A word in the headings of one document and the text of at least three. */
function* singleWords({ documents, holders }: Vault): Iterable<Candidate> {
  const places = documents.flatMap(({ path, sections }) =>
    sections.flatMap(({ headings: path_ }) =>
      longWords(path_.at(-1) ?? '').map((word) => ({ path, query: word })),
    ),
  );
  for (const own of Map.groupBy(places, ({ query }) => query.toLowerCase()).values()) {
    const [{ path, query }] = own as [Candidate];
    const mentions = holders.get(query.toLowerCase())?.size ?? 0;
    if (mentions >= 3 && mentions <= 12 && own.every((each) => each.path === path)) yield { path, query };
  }
}

/** Name of a row and title of a column: the answer is the cell. */
function* tableRows({ documents }: Vault): Iterable<Candidate> {
  for (const { path, text, blocks } of documents) {
    for (const { start, end } of blocks.filter(({ kind }) => kind === 'table')) {
      const [header, , ...rows] = text.slice(start, end).trim().split('\n').map(cellsOf);
      for (const [name = '', ...cells] of rows) {
        const column = cells.findIndex(
          (cell, index) => cell !== '' && /\p{L}{3}/u.test(header?.[index + 1] ?? ''),
        );
        const isName = /\p{L}{2}/u.test(name) && name.length <= 40;
        if (column >= 0 && isName) yield { path, query: `${header?.[column + 1]} of ${name}` };
      }
    }
  }
}

/** End of the paragraph that leads to a list, and the first words of an item that is not among the first two. */
function* listItems({ documents }: Vault): Iterable<Candidate> {
  for (const { path, text, blocks } of documents) {
    for (const [index, { kind, start, end }] of blocks.entries()) {
      const before = blocks[index - 1];
      if (kind !== 'list' || before?.kind !== 'paragraph') continue;
      const ending = longWords(text.slice(before.start, before.end)).slice(-5);
      // A block is an item or a whole list; the items are told apart here.
      const following = blocks.slice(index).findIndex((each) => each.kind !== 'list');
      const last = following < 0 ? end : blocks[index + following - 1]!.end;
      const items = text.slice(start, last).split(/\n(?=(?:[-*+]|\d+[.)]) )/);
      for (const item of items.slice(2)) {
        const words = longWords(item).slice(0, 3);
        if (ending.length >= 3 && words.length === 3) yield { path, query: [...ending, ...words].join(' ') };
      }
    }
  }
}

/** Every second long word of a sentence from the last quarter of a long document. */
function* lateSentences({ documents }: Vault): Iterable<Candidate> {
  for (const { path, text, blocks } of documents.filter((each) => each.text.length > LONG)) {
    for (const { kind, start, end } of blocks) {
      if (kind !== 'paragraph' || start < text.length * 0.75) continue;
      const [sentence = ''] = plain(text.slice(start, end)).split(/(?<=[.!?])\s/);
      const words = longWords(sentence).filter((_, index) => index % 2 === 0);
      if (words.length >= 4 && words.length <= 9) yield { path, query: words.join(' ') };
    }
  }
}

function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map(plain);
}

/** Without marks of Markdown, and on one line. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`#[\]{}<>|"]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function longWords(text: string): string[] {
  return plain(text).match(/\p{L}{4,}/gu) ?? [];
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
}

/** One of each document in turn, both in an order drawn by lot; equal candidates give an equal order. */
function spread(candidates: readonly Candidate[]): readonly Candidate[] {
  const turns = new Map<string, number>();
  return shuffle(candidates, randomNumbers(SEED))
    .map((candidate) => {
      const turn = turns.get(candidate.path) ?? 0;
      turns.set(candidate.path, turn + 1);
      return { candidate, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ candidate }) => candidate);
}
