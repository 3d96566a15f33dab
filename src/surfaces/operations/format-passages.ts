/** Passages as Markdown, and how passages are cited everywhere. */
import type { ConfidenceWord } from '../../core/model/hit.ts';
import { manyLines, oneLine } from '../../core/text/one-line.ts';

/** Lines of a document, and what they stand under. */
interface Place {
  /** 1-based, inclusive. */
  readonly start_line: number;
  readonly end_line: number;
  /** In place of an empty `heading_path`. */
  readonly title?: string;
  /** The title, then the headings from the outermost down. */
  readonly heading_path: readonly string[];
}

/** The fields of a hit that are needed here. */
export interface Passage extends Place {
  /** Names the file by default: unlike the path, it is unique across collections. */
  readonly document_id: string;
  readonly text: string;
  readonly confidence?: ConfidenceWord;
}

/** Numbers the passages from 1, each under its citation and inside a fence that nothing in its text can close. */
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

/** `[1] guides/keys.md:12-40  Keys › Rotating` */
export function numberedCitation(passage: Place & { readonly number: number }, file: string): string {
  return `[${passage.number}] ${citationOf(passage, file)}  ${headingsOf(passage)}`;
}

/** `guides/keys.md:12-40`, on one line whatever the file is called. */
export function citationOf(
  { start_line, end_line }: Pick<Place, 'start_line' | 'end_line'>,
  file: string,
): string {
  return `${oneLine(file)}:${start_line}-${end_line}`;
}

/** `Keys › Rotating`, on one line. */
export function headingsOf({ title = '', heading_path }: Pick<Place, 'title' | 'heading_path'>): string {
  return oneLine((heading_path.length > 0 ? heading_path : [title]).join(' › ').replace(/\s+/g, ' '));
}

/** Without blank lines around it, and safe to show. */
export function passageText({ text }: Pick<Passage, 'text'>): string {
  return manyLines(text.trimEnd().replace(/^\n+/, ''));
}

/** Longer than every run of backticks in the text. */
function fenceFor(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  return '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
}
