/**
 * Draws comments, messages and sentences of pages at random, so that readers can judge whether they must read them twice.
 * Usage: node scripts/draw-prose.ts [--seed 1] [--comments 200] [--messages 60] [--pages 60]. The same seed draws the same from
 * the same files.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';

const ROOT = join(import.meta.dirname, '..');

/** The pages that people write and read: neither the generated reference nor decisions. */
const PAGES = ['{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md', 'docs/*.md', 'docs/{guides,explain}/*.md'];

export interface Prose {
  /** `path:line`. */
  readonly place: string;
  readonly text: string;
}

/** Returns all comments of a source. Line comments on neighbouring lines are joined. */
export function commentsOf(path: string, source: string): Prose[] {
  const found: { start: number; text: string; end: number }[] = [];
  for (const { type, value, start, end } of parseSync(path, source).comments) {
    const last = found.at(-1);
    const text = plain(value);
    if (last && type === 'Line' && /^\s*\n\s*$/.test(source.slice(last.end, start))) {
      last.text += ` ${text}`;
      last.end = end;
    } else found.push({ start, text, end });
  }
  return found.map(({ start, text }) => ({ place: `${path}:${lineOf(source, start)}`, text }));
}

/** Returns sentences for users: texts of three words or more that begin with a capital letter. */
export function messagesOf(path: string, source: string): Prose[] {
  const found: Prose[] = [];
  const add = ({ start, end }: { readonly start: number; readonly end: number }) => {
    const text = source
      .slice(start + 1, end - 1)
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (/^\p{Lu}.* .* /u.test(text)) found.push({ place: `${path}:${lineOf(source, start)}`, text });
  };
  const visitor = new Visitor({
    Literal: (node) => typeof node.value === 'string' && add(node),
    TemplateLiteral: add,
  });
  visitor.visit(parseSync(path, source).program);
  return found;
}

/** What is no prose in a page: code blocks, headings, HTML, bold marks, and links but for their text. */
const MARKUP =
  /^ *```[\s\S]*?^ *```|^#.*|<!--[\s\S]*?-->|<\/?[a-z][^>]*>|\*\*|\[(?=[^\]]+\]\()|\]\([^)]+\)/gm;

/** Returns the sentences of a page, in tables too, of five words or more. */
export function sentencesOf(path: string, source: string): Prose[] {
  // Each replacement keeps the length, so that offsets are those of the source.
  const prose = source
    .replaceAll(MARKUP, (gone) => gone.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/\n(?! *(?:\n|[|>*-]|\d+\.))/g, ' ')
    .replaceAll(/^\|.*/gm, (row) => row.replaceAll('|', '\n'));
  return Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment(prose), (each) => ({
    place: `${path}:${lineOf(source, each.index + each.segment.search(/\S|$/))}`,
    text: each.segment
      .replaceAll(/\s+/g, ' ')
      .replace(/^ ?[->*] /, '')
      .replaceAll(/(?<=\() | (?=[.,;:)](?!\d))/g, '')
      .trim(),
  })).filter(({ text }) => text.split(' ').length >= 5);
}

/** Draws `count` items at random and returns them in their original order. */
export function draw(all: readonly Prose[], count: number, seed: number): Prose[] {
  const random = randomNumbers(seed);
  const left = [...all];
  const drawn = Array.from(
    { length: Math.min(count, all.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
  return all.filter((each) => drawn.includes(each));
}

function plain(comment: string): string {
  return comment
    .replaceAll(/^\*|\n\s*\*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function main(): void {
  const option = (usual: string) => ({ type: 'string', default: usual }) as const;
  const { values } = parseArgs({
    options: { seed: option('1'), comments: option('200'), messages: option('60'), pages: option('60') },
  });
  const read = (files: readonly string[], of: typeof commentsOf) =>
    globSync(files, { cwd: ROOT })
      .toSorted()
      .flatMap((path) => of(path, readFileSync(join(ROOT, path), 'utf8')));
  const seed = Number(values.seed);
  for (const [name, all, count] of [
    ['comments', read(['src/**/*.ts'], commentsOf), Number(values.comments)],
    ['messages', read(['src/**/*.ts'], messagesOf), Number(values.messages)],
    ['sentences of pages', read(PAGES, sentencesOf), Number(values.pages)],
  ] as const) {
    console.log(`\n${Math.min(count, all.length)} of ${all.length} ${name}, seed ${seed}\n`);
    for (const [index, { place, text }] of draw(all, count, seed).entries())
      console.log(`${index + 1}. ${place}\n   ${text}`);
  }
}

if (import.meta.main) main();
