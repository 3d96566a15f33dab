/**
 * Draws comments and messages at random, so that readers can judge whether they must read them twice.
 * Usage: node scripts/draw-prose.ts [--seed 1] [--comments 200] [--messages 60]. The same seed draws the same from the same sources.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';

const ROOT = join(import.meta.dirname, '..');

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
    options: { seed: option('1'), comments: option('200'), messages: option('60') },
  });
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).toSorted();
  const read = (of: typeof commentsOf) =>
    sources.flatMap((path) => of(path, readFileSync(join(ROOT, path), 'utf8')));
  const seed = Number(values.seed);
  for (const [name, all, count] of [
    ['comments', read(commentsOf), Number(values.comments)],
    ['messages', read(messagesOf), Number(values.messages)],
  ] as const) {
    console.log(`\n${Math.min(count, all.length)} of ${all.length} ${name}, seed ${seed}\n`);
    for (const [index, { place, text }] of draw(all, count, seed).entries())
      console.log(`${index + 1}. ${place}\n   ${text}`);
  }
}

if (import.meta.main) main();
