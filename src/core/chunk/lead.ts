/** The context prefix of a piece that starts inside a list, a list item or a table: the text that introduces it. */
import type { Lead, ParsedDocument } from '../model/document.ts';
import { lastGraphemeBoundary, wordBoundaries } from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';
import { showsText } from '../text/plain-markdown.ts';
import type { Piece } from './units.ts';

/** UTF-16 units; few enough that the piece itself says most of what is embedded. */
const MAX_CHARS = 200;

/**
 * Reads the prefix for the new text of a piece: a line for each lead, the outermost first. Leads that the
 * piece itself shows are left out. The innermost is cut if it is too long; others come whole or not at all.
 * To be called for pieces in order.
 */
export function leadReader({ text, leads }: Pick<ParsedDocument, 'text' | 'leads'>) {
  let next = 0;
  /** Those that lead to the place at hand, the outermost first. */
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
  // One character more: a boundary may lie exactly on the last place allowed.
  const words = [...wordBoundaries(text, start + MAX_CHARS / 2, limit + 1)];
  return words.at(-1) ?? lastGraphemeBoundary(text, start, limit);
}
