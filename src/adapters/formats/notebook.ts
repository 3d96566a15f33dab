/** Converts a Jupyter notebook to Markdown: its texts, its code as code blocks, and the text that the code printed. */
import { type Convert, textOf } from './converted.ts';

type Cell = Readonly<Record<'cell_type' | 'source' | 'outputs', unknown>>;

/** Max characters of one printed text: the end of a long log says little about the notebook. */
const MAX_OUTPUT = 2_000;

export const convert: Convert = (bytes) => {
  const { cells, metadata } = readJson(bytes) ?? {};
  if (!Array.isArray(cells)) throw new Error('it has no cells');
  const language = metadata?.kernelspec?.language ?? metadata?.language_info?.name ?? '';
  const parts = cells.map((cell: Cell | null) =>
    cell?.cell_type === 'code' ? code(cell, language) : said(cell?.source),
  );
  const title = typeof metadata?.title === 'string' ? metadata.title : undefined;
  return { markdown: `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`, fields: { title } };
};

function readJson(bytes: Uint8Array) {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    throw new Error('it is not JSON');
  }
}

function code({ source, outputs }: Cell, language: string): string {
  const printed = Array.isArray(outputs)
    ? outputs.map((output) => said(output?.text ?? output?.data?.['text/plain']))
    : [];
  return [fenced(said(source), language), ...printed.map((text) => fenced(text.slice(0, MAX_OUTPUT), ''))]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns a text of the notebook, which may be stored as an array of lines. */
function said(source: unknown): string {
  const text = Array.isArray(source) ? source.join('') : source;
  // Embedded images are removed: they contain no text.
  return typeof text === 'string' ? text.replace(/\(data:[^)]*\)/g, '()') : '';
}

/** Returns a code block; empty for blank code. The fence is longer than each run of backticks in the code. */
function fenced(text: string, language: string): string {
  if (text.trim() === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
