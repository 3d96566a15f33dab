/** The `headers` strategy: one piece per section; short sections are joined, long sections are split. */
import type { ParsedDocument } from '../model/document.ts';
import { firstIndex, trimSpan } from '../text/lines.ts';
import type { Outline } from './outline.ts';
import { type Piece, type SplitLimits, split } from './split.ts';

/** Consecutive sections that form one piece, or that are split together. */
interface Group {
  /** Index of the first section. */
  readonly first: number;
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
}

/**
 * Cuts a document at its headings.
 *
 * A section shorter than `minChars` is joined with the next section if the next section is a sibling or a subsection. A section
 * that is still short is joined with the section before it. Joined sections have at most `maxChars`, with one exception: a short
 * section is also joined with a section longer than `maxChars`, and the two are split together. Without this exception, a chunk
 * could be a heading alone.
 */
export function byHeadings(
  document: ParsedDocument,
  outline: Outline,
  limits: SplitLimits,
): readonly Piece[] {
  const { text, blocks } = document;
  const blockFrom = (offset: number) => firstIndex(blocks.length, (index) => blocks[index]!.start >= offset);
  return groupSections(text, outline, limits).flatMap((group) => {
    const { start, end } = group;
    if (lengthOf(group) <= limits.maxChars) return [{ start, newStart: start, end }];
    return split(text, blocks.slice(blockFrom(start), blockFrom(end)), start, end, limits);
  });
}

function groupSections(
  text: string,
  outline: Outline,
  { minChars, maxChars }: SplitLimits,
): readonly Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;

  const close = (group: Group) => {
    const before = groups.at(-1);
    const fitsBefore =
      before && outline.isNeighbour(before.first, group.first) && lengthOf(join(before, group)) <= maxChars;
    if (fitsBefore && lengthOf(group) < minChars) groups[groups.length - 1] = join(before, group);
    else groups.push(group);
  };
  for (const [index, { start, end }] of outline.sections.entries()) {
    const [contentStart, contentEnd] = trimSpan(text, start, end);
    const section: Group = { first: index, start, end, contentStart, contentEnd };
    const joinsNext =
      current !== undefined &&
      lengthOf(current) < minChars &&
      outline.isNeighbour(current.first, index) &&
      (lengthOf(join(current, section)) <= maxChars || lengthOf(section) > maxChars);
    if (current && joinsNext) {
      current = join(current, section);
    } else {
      if (current) close(current);
      current = section;
    }
  }
  if (current) close(current);
  return groups;
}

function join(first: Group, second: Group): Group {
  return { ...first, end: second.end, contentEnd: second.contentEnd };
}

function lengthOf(group: Group): number {
  return group.contentEnd - group.contentStart;
}
