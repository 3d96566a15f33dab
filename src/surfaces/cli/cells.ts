/** Counts the terminal cells that a text fills, and splits the text where it may be cut. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Tab, line feed, and characters that fill one cell each and never combine. Anything else needs Unicode tables, which load
 * slower than the rest of a command.
 */
const SIMPLE = /^[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

/** Counts the cells that a line fills. Characters that do not print fill no cell. */
export function cellsOf(line: string): number {
  if (SIMPLE.test(line)) return line.replaceAll(/[\t\n]/g, '').length;
  return (require('string-width') as typeof import('string-width')).default(line);
}

/** Splits a text into the characters a reader sees: a letter with its accents, an emoji with its parts. */
export function charactersOf(text: string): string[] {
  if (SIMPLE.test(text)) return text.split('');
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
