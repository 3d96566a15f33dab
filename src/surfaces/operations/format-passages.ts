/** Writes passages as Markdown, and the citations that all surfaces use. */
import type { ConfidenceWord } from '../../core/model/hit.ts';
import { manyLines, oneLine } from '../../core/text/one-line.ts';
import { placeIn } from '../../core/text/place.ts';

/** Lines of a document, with the headings above them. */
interface Place {
  /** 1-based, inclusive. */
  readonly start_line: number;
  readonly end_line: number;
  readonly page?: number | undefined;
  /** Shown if `heading_path` is empty. */
  readonly title?: string;
  /** The title, then the headings from the outermost down. */
  readonly heading_path: readonly string[];
}

/** The fields of a hit that citations and quotes need. */
export interface Passage extends Place {
  /** Unique across collections, unlike the path. */
  readonly document_id: string;
  readonly text: string;
  /** Stands for a text without visible characters: it then shows the description of the page, or its title. */
  readonly snippet?: { readonly text: string };
  readonly confidence?: ConfidenceWord;
}

/**
 * Writes the passages, numbered from 1: a citation, then the text in a fence that the text cannot close.
 * @param locate returns the file to name in the citation
 */
export function formatPassages<P extends Passage>(
  passages: readonly P[],
  locate: (passage: P) => string,
): string {
  const blocks = passages.map((passage, index) => {
    const text = passageText(passage);
    const fence = fenceFor(text);
    return `${numberedCitation({ ...passage, number: index + 1 }, locate(passage))}\n${fence}\n${text}\n${fence}`;
  });
  return blocks.join('\n\n');
}

/** Writes a citation such as `[1] guides/keys.md:12-40  Keys › Rotating`. */
export function numberedCitation(passage: Place & { readonly number: number }, file: string): string {
  return `[${passage.number}] ${citationOf(passage, file)}  ${headingsOf(passage)}`;
}

/** Writes a place such as `guides/keys.md:12-40` or `book.pdf#page=3`; line breaks in the name of the file are escaped. */
export function citationOf(
  { start_line, end_line, page }: Pick<Place, 'start_line' | 'end_line' | 'page'>,
  file: string,
): string {
  return page === undefined
    ? `${oneLine(file)}:${start_line}-${end_line}`
    : placeIn(oneLine(file), { line: start_line, page });
}

/** Writes the headings on one line, such as `Keys › Rotating`. */
export function headingsOf({ title = '', heading_path }: Pick<Place, 'title' | 'heading_path'>): string {
  return oneLine((heading_path.length > 0 ? heading_path : [title]).join(' › ').replace(/\s+/g, ' '));
}

/** Returns the text of a passage, safe to print and without blank lines around it. */
export function passageText({ text, snippet }: Pick<Passage, 'text' | 'snippet'>): string {
  return manyLines((text.trim() ? text : (snippet?.text ?? '')).trimEnd().replace(/^\n+/, ''));
}

/** A fence that is longer than every run of backticks in the text. */
function fenceFor(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  return '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
}
