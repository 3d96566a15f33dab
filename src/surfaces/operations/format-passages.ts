/** Writes passages as Markdown, and the citations that all surfaces use. */
import type * as z from 'zod';
import { manyLines, oneLine } from '../../core/text/one-line.ts';
import { placeIn } from '../../core/text/place.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import type { hitShape } from './shapes.ts';

type Hit = Immutable<z.output<typeof hitShape>>;

/** Lines of a document, with the headings above them. The title is shown if there are no headings. */
type Place = Pick<Hit, 'start_line' | 'end_line' | 'page' | 'heading_path'> & Partial<Pick<Hit, 'title'>>;

/** The fields of a hit that citations and quotes need. */
export interface Passage extends Place, Pick<Hit, 'document_id' | 'text'>, Partial<Pick<Hit, 'confidence'>> {
  /** Stands for a text without visible characters: it then shows the description of the page, or its title. */
  readonly snippet?: { readonly text: string };
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
