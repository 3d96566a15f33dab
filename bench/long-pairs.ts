/** Makes long questions of paragraphs: what a paragraph says should find the document it was taken out of, or those it links to. */
import type { Block, Link, ParsedDocument } from '../src/core/model/document.ts';
import { parseQuery } from '../src/core/query/parse.ts';
import { linkTargets } from './link-targets.ts';
import { spread } from './spread.ts';
import type { MadeQuery } from './write-judged-set.ts';

export interface LongPair extends MadeQuery {
  /** Whether all words of the title of an answer stand in the question; numbers do not count. */
  readonly type: 'title said' | 'title not said';
  readonly path: string;
  /** 1-based lines of the file that the question was made of, inclusive. */
  readonly lines: readonly [first: number, last: number];
}

/** Words of a question that count. */
const LEAST = 16;
const MOST = 60;
/** Words that a document keeps, to be found by. */
const REST = 100;
/** Words in a row that stand nowhere else. */
const RUN = 8;
/** Of the characters of a paragraph. */
const MAX_CODE = 0.2;
const MIN_LETTERS = 0.85;

/** Marks of what is no prose: containers, tables, images, references; lists by hard breaks; tags. */
const NO_PROSE = /^\s*(?:\/\/\/|:::|[|!]|\[[^\]]+\]:)|\\$|<\/?[a-z]/im;

interface Paragraph {
  readonly number: number;
  readonly path: string;
  readonly query: string;
  readonly lines: readonly [first: number, last: number];
  readonly links: readonly Link[];
}

/**
 * At most so many questions of each kind, spread over documents; equal documents give equal questions.
 *
 * `paragraphs` have no link, and the document they stand in is the answer. `linked` ones have links: the documents
 * linked to are the answer (grade 2), and that they stand in is near it (grade 1).
 */
export function makeLongPairs(
  documents: readonly ParsedDocument[],
  count: number,
): Readonly<Record<'paragraphs' | 'linked', readonly LongPair[]>> {
  const texts = documents.map(({ text }) => ` ${wordsOf(text).join(' ')} `);
  const all = documents.flatMap((document, number) => paragraphsOf(document, number));
  const targetOf = linkTargets(documents);

  function answersOf({ number, links }: Paragraph): ReadonlyMap<string, number> {
    const targets = links.flatMap((link) => targetOf(number, link) ?? []);
    const own = [documents[number]!.path, links.length > 0 ? 1 : 2] as const;
    return new Map([own, ...targets.map((target) => [documents[target]!.path, 2] as const)]);
  }

  function pick(some: readonly Paragraph[]): readonly LongPair[] {
    const titles = new Map(documents.map(({ path, title }) => [path, title]));
    const picked: LongPair[] = [];
    for (const paragraph of spread(some)) {
      if (picked.length === count) break;
      const { query, path, lines, links } = paragraph;
      if (standsElsewhere(query, texts)) continue;
      const judgements = answersOf(paragraph);
      // A link that leads nowhere, or out of the vault, tells no answer.
      if (links.length > 0 && judgements.size === 1) continue;
      const isSaid = [...judgements.keys()].some((answer) => saysTitle(query, titles.get(answer)!));
      picked.push({ query, path, lines, judgements, type: isSaid ? 'title said' : 'title not said' });
    }
    return picked;
  }

  const { linked = [], paragraphs = [] } = Object.groupBy(all, ({ links }) =>
    links.length > 0 ? 'linked' : 'paragraphs',
  );
  return { paragraphs: pick(paragraphs), linked: pick(linked) };
}

/** The text of a file without the lines of some questions. */
export function withoutParagraphs(source: string, pairs: readonly Pick<LongPair, 'lines'>[]): string {
  const isTaken = (line: number) => pairs.some(({ lines: [first, last] }) => line >= first && line <= last);
  return source
    .split('\n')
    .map((line, index) => (isTaken(index + 1) ? '' : line))
    .join('\n');
}

/** Running prose, but for the first paragraph of a document, which is apt to say the title in other words. */
function paragraphsOf({ path, text, firstLine, blocks, links }: ParsedDocument, number: number): Paragraph[] {
  const words = wordsOf(text).length;
  const [, ...later] = blocks.filter(({ kind }) => kind === 'paragraph');
  return later.flatMap((block) => {
    const query = proseOf(text.slice(block.start, block.end));
    if (query === undefined || words - wordsOf(query).length < REST) return [];
    if (!isLong(query)) return [];
    const lines = linesOf(block, text, firstLine);
    const own = links.filter(({ line }) => line >= lines[0] && line <= lines[1]);
    return [{ number, path, query, lines, links: own }];
  });
}

function linesOf({ start, end }: Block, text: string, firstLine: number): readonly [number, number] {
  const first = firstLine + text.slice(0, start).split('\n').length - 1;
  return [first, first + text.slice(start, end).trimEnd().split('\n').length - 1];
}

/** Counted here, so that another rule for long questions in the search does not change the questions it is judged by. */
function isLong(query: string): boolean {
  const { terms, plain } = parseQuery(query);
  const length = Math.min(terms.length, plain.split(/\s+/u).length);
  return length >= LEAST && length <= MOST;
}

/** A paragraph as its reader sees it, on one line, if it is prose. */
function proseOf(raw: string): string | undefined {
  const withoutCode = raw.replaceAll(/`[^`]+`/g, '');
  const code = raw.length - withoutCode.length;
  if (NO_PROSE.test(withoutCode) || code > raw.length * MAX_CODE) return undefined;
  const plain = raw
    .replaceAll(/!?\[\[([^[\]]+)\]\]/g, (_, inside: string) => visiblePart(inside))
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/(?<=\s)\^[\w-]+\s*$/g, '')
    // Quotes, stars and a minus before a word would be read as operators of the query.
    .replaceAll(/[*`"“”\\]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replaceAll(/[#[\]{}<>|]+|(?<=\s)[-–—]+(?=\S)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = plain.match(/[\p{L} ]/gu)?.length ?? 0;
  const isProse = /^\p{Lu}.*[.!?]\)?$/u.test(plain) && letters >= plain.length * MIN_LETTERS;
  return isProse ? plain : undefined;
}

/** Of a wikilink; the label stands behind the bar, in some vaults before it. */
function visiblePart(inside: string): string {
  const parts = inside.split('|').map((part) => part.trim());
  return parts.findLast((part) => !/[.#/]/.test(part)) ?? parts.at(-1)!;
}

/** Whether a run of its words stands twice: boilerplate, or a paragraph copied. */
function standsElsewhere(query: string, texts: readonly string[]): boolean {
  const words = wordsOf(query);
  const runs = Array.from({ length: Math.floor(words.length / RUN) }, (_, place) => {
    return ` ${words.slice(place * RUN, (place + 1) * RUN).join(' ')} `;
  });
  return runs.some((run) => {
    const [first, second] = texts.filter((text) => text.includes(run));
    return second !== undefined || (first !== undefined && first.indexOf(run) !== first.lastIndexOf(run));
  });
}

function saysTitle(query: string, title: string): boolean {
  const said = new Set(query.toLowerCase().match(/\p{L}+/gu));
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length > 0 && words.every((word) => said.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
