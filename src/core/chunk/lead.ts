/** Makes the context prefix of a piece that starts inside a list, a list item or a table: the text that introduces it. */
import type { Lead, ParsedDocument } from '../model/document.ts';
import { lastGraphemeBoundary, wordBoundaries } from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';
import { showsText } from '../text/plain-markdown.ts';
import type { Piece } from './split.ts';

/** Max UTF-16 units of a prefix. Most of the embedded text should be the piece itself. */
const MAX_CHARS = 200;

/**
 * Makes a function that returns the context prefix of a piece: one line per lead, outermost first. A lead that the piece itself
 * contains is left out. The innermost lead is cut to fit. If another lead does not fit, it is left out, and so are all leads
 * outside it. Calls must be for the pieces in order.
 */
export function leadReader({ text, leads }: Pick<ParsedDocument, 'text' | 'leads'>) {
  let next = 0;
  /** Leads that apply at the current place, outermost first. */
  let open: readonly Lead[] = [];
  return ({ start, newStart, end }: Piece): string | undefined => {
    const [place] = trimSpan(text, newStart, end);
    const begun: Lead[] = [];
    while (next < leads.length && leads[next]!.from <= place) begun.push(leads[next++]!);
    open = [...open, ...begun].filter(({ to }) => to > place);
    const parts: string[] = [];
    let room = MAX_CHARS;
    for (const lead of open.toReversed()) {
      if (lead.end > start) continue;
      const part = text.slice(lead.start, parts.length === 0 ? clippedEnd(text, lead) : lead.end).trimEnd();
      if (part.length > room) break;
      if (parts.includes(part) || !showsText(part.replaceAll('|', ''))) continue;
      parts.unshift(part);
      room -= part.length;
    }
    return parts.length === 0 ? undefined : parts.join('\n');
  };
}

function clippedEnd(text: string, { start, end }: Lead): number {
  const limit = start + MAX_CHARS;
  if (end <= limit) return end;
  // Extend the range by one character, because `wordBoundaries` excludes its end.
  const words = [...wordBoundaries(text, start + MAX_CHARS / 2, limit + 1)];
  return words.at(-1) ?? lastGraphemeBoundary(text, start, limit);
}
