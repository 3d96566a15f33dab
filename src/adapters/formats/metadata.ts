/** Converts METADATA of a Python package to Markdown: name and version, the summary, and the long description. */
import { type Convert, textOf } from './converted.ts';
import { rstToMarkdown } from './rst.ts';

/** Lines of front matter that holds only a title. */
const FRONT_MATTER_LINES = 3;

/** Line numbers stay the same. The front matter replaces the first three headers. Of the others, only the summary is kept. */
export const convert: Convert = (bytes) => {
  const lines = textOf(bytes).split(/\r?\n/);
  const end = lines.indexOf('');
  const [headers, body] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)];
  const header = (name: string) =>
    headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const name = header('Name');
  if (!header('Metadata-Version') || !name) throw new Error('it is not the metadata of a Python package');
  const above = headers
    .map((line) => (line.startsWith('Summary: ') ? line.slice('Summary: '.length) : ''))
    .slice(FRONT_MATTER_LINES);
  // PEP 566: without a content type, the description is reStructuredText.
  const isRst = /^text\/x-rst|^$/.test(header('Description-Content-Type') ?? '');
  const description = isRst ? rstToMarkdown(body.join('\n')) : body.join('\n');
  return {
    markdown: [...above, description].join('\n'),
    fields: { title: [name, header('Version')].filter(Boolean).join(' ') },
  };
};
