/** Shortens a search result for a model: what was found and where. */
import * as z from 'zod';
import { plural } from '../../core/text/format-numbers.ts';
import { headingPathAt } from '../../core/text/heading-path.ts';
import { manyLines } from '../../core/text/one-line.ts';
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import { hitShape } from './shapes.ts';

const { document_id, start_line, end_line, heading_path, score, confidence, text } = hitShape.shape;
const unsureHit = z.object({ document_id, start_line, end_line, heading_path, score, confidence, text });
const shortHit = unsureHit.extend({
  passage_lines: hitShape.shape.matched_lines.describe('Lines of the whole passage, if the text is cut.'),
  explanation: z.looseObject({}).optional(),
});

export const shortAnswer = () =>
  z.object({
    hits: z.array(shortHit),
    unsure: z.array(unsureHit).describe('May answer the query; a few lines of plain text each.'),
    notice: z.string().optional(),
  });

type Hit = Immutable<z.output<typeof hitShape>>;
export type ShortAnswer = Immutable<z.output<ReturnType<typeof shortAnswer>>>;

/** Characters of text per hit, on average: 3,200 for five hits. */
const PER_HIT = 640;
/** An answer with fewer hits has the room of five, so a single hit may be long. */
const MIN_HITS = 5;
/** Max characters of an unsure passage. */
const PER_UNSURE = 180;
/** Number of levels of an explanation that are kept. Those of the first hit reach down to the lanes. */
const LEVELS = { first: 4, others: 2 };

/** Cuts long passages around their best lines, down to the limit for all hits together. With `parents`, sections stay whole. */
export function shortenAnswer(
  { hits, unsure, notice }: Immutable<{ hits: Hit[]; unsure: Hit[]; notice?: string }>,
  { parents }: { readonly parents?: boolean },
): ShortAnswer {
  const lengths = hits.map(({ text }) => text.trim().length);
  const most = parents ? Infinity : fairShare(lengths, PER_HIT * Math.max(MIN_HITS, hits.length));
  return {
    hits: hits.map((hit, index) => {
      const cut = { ...hit, ...cutAround(hit, most) };
      const levels = index === 0 ? LEVELS.first : LEVELS.others;
      const explanation = hit.explanation && outline(hit.explanation, levels);
      return { ...cut, heading_path: withNotes(cut, cut.heading_path), ...(explanation && { explanation }) };
    }),
    unsure: unsure.map((hit) => {
      const headings = headingPathAt(hit.heading_path, hit.text, hit.snippet.start_line - hit.start_line);
      return { ...hit, text: beginning(hit), heading_path: withNotes(hit, headings) };
    }),
    ...(notice !== undefined && { notice }),
  };
}

/**
 * Adds to the headings the page, and how many other documents have nearly the same text, as far as they were found. Separate
 * fields would lengthen the schema of the tool, which every list of tools contains.
 */
function withNotes(
  { page, document_id, merged = [] }: Pick<Hit, 'page' | 'document_id' | 'merged'>,
  headings: readonly string[],
): readonly string[] {
  const others = new Set(merged.map((each) => each.document_id).filter((id) => id !== document_id)).size;
  return [
    ...headings,
    ...(page === undefined ? [] : [`(page ${page})`]),
    ...(others === 0 ? [] : [`(nearly the same in ${plural(others, 'other document')})`]),
  ];
}

/** Returns the upper levels of an explanation, with rounded numbers. The command line and HTTP have the whole explanation. */
function outline(
  { label, value, weight, parts }: NonNullable<Hit['explanation']>,
  levels: number,
): Record<string, unknown> {
  const round = (number: number) => Number(number.toPrecision(4));
  return {
    label,
    value: round(value),
    ...(weight !== undefined && { weight: round(weight) }),
    ...(parts && levels > 1 && { parts: parts.map((part) => outline(part, levels - 1)) }),
  };
}

/** Returns a max length at which all passages fit into `room` characters. Long ones share the room that short ones leave. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [place, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - place));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

/**
 * Cuts a passage to whole lines of at most `most` characters together. Starts at the first line, or one line above the best
 * line if the text above the best line is longer than half of `most`.
 */
function cutAround(
  { text, start_line, end_line, heading_path, line }: Hit,
  most: number,
): Partial<ShortAnswer['hits'][number]> {
  const lines = text.trimEnd().split('\n');
  if (text.trim().length <= most) return {};
  const best = Math.min(Math.max(0, line - start_line), lines.length - 1);
  const above = lines.slice(0, best).join('\n').length;
  const first = above > most / 2 ? best - 1 : 0;
  const taken: string[] = [];
  let length = 0;
  for (const line of lines.slice(first)) {
    length += line.length + 1;
    if (length > most && taken.length > 0) break;
    taken.push(line);
  }
  return {
    text: cutWords(taken.join('\n'), most),
    heading_path: first > 0 ? headingPathAt(heading_path, text, first) : heading_path,
    start_line: start_line + first,
    end_line: Math.min(end_line, start_line + first + taken.length - 1),
    passage_lines: [start_line, end_line],
  };
}

/** Returns the first lines of the snippet, as plain text or code, without blank lines. */
function beginning({ snippet }: Hit): string {
  const text = snippet.code ? snippet.text : plainMarkdown(snippet.text).text;
  return cutWords(manyLines(text.trim().replace(/\n\s*\n/g, '\n')), PER_UNSURE);
}

/** Cuts between words and adds `…`. */
function cutWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.search(/\s\S*$/);
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd().replace(/[\uD800-\uDBFF]$/, '')}…`;
}
