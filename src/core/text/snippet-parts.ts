/** Prepares a snippet for display: splits its plain text at the matches, and tells whether it begins and ends with a cut. */
import { continuesParagraph } from './block-marks.ts';
import { plainMarkdown, showsText } from './plain-markdown.ts';

interface Shown {
  readonly text: string;
  /** Offsets of the matched words, sorted, without overlaps. */
  readonly matches: readonly (readonly [number, number])[];
  /** Whether the text is code, which has no Markdown marks. */
  readonly code?: boolean | undefined;
}

export interface SnippetPart {
  readonly text: string;
  readonly marked: boolean;
}

export function snippetParts({ text, matches, code }: Shown): readonly SnippetPart[] {
  const shown = code ? { text, ranges: matches } : plainMarkdown(text, matches);
  const parts: SnippetPart[] = [];
  let at = 0;
  for (const [start, end] of shown.ranges) {
    parts.push(
      { text: shown.text.slice(at, start), marked: false },
      { text: shown.text.slice(start, end), marked: true },
    );
    at = end;
  }
  return [...parts, { text: shown.text.slice(at), marked: false }].filter((part) => part.text !== '');
}

const SENTENCE_END = /[.!?]$/;

/** Adds `…`, the sign that text follows. */
export function andMore(text: string): string {
  return `${text}${SENTENCE_END.test(text) ? ' ' : ''}…`;
}

/** `before`: whether the snippet begins inside a line or a sentence. `after`: whether visible text follows the snippet. */
export function snippetCuts({ text, snippet }: { readonly text: string; readonly snippet: Shown }) {
  const start = text.indexOf(snippet.text);
  if (start < 0) return { before: false, after: false };
  const above = text.slice(0, start);
  const isMidLine = above.slice(above.lastIndexOf('\n') + 1).trim() !== '';
  const isWrapped = !snippet.code && !SENTENCE_END.test(above.trimEnd()) && continuesParagraph(text, start);
  return { before: isMidLine || isWrapped, after: showsText(text.slice(start + snippet.text.length)) };
}
