/** Finds the destinations of links and images in Markdown. */
import { readBlocks } from '../../core/markdown/blocks.ts';
import { markdown } from '../../core/markdown/markdown-it.ts';
import { inlineSpans } from '../../core/text/inline-spans.ts';

/** The part of a link between its parentheses, without title. */
export interface Destination {
  /** Offsets into the text: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The address, without angle brackets and escapes. */
  readonly href: string;
}

/** Returns the destinations outside of code, in order. Links by reference are not found. @param text with LF line ends */
export function destinationsIn(text: string): readonly Destination[] {
  const found: Destination[] = [];
  for (const { kind, start, end } of readBlocks(text, 1).regions) {
    if (kind === 'code' || kind === 'html') continue;
    const source = text.slice(start, end);
    for (const span of inlineSpans(source)) {
      const open = span.shown[1] + 1;
      if (span.kind !== 'link' || source[open] !== '(') continue;
      const from = open + 1 + source.slice(open + 1).search(/\S/);
      const { ok, pos, str } = markdown.helpers.parseLinkDestination(source, from, span.end);
      if (ok && str !== '') found.push({ start: start + from, end: start + pos, href: str });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}
