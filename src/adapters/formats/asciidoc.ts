/** Converts AsciiDoc to Markdown. Does not follow includes: a conversion reads only its own file. */
import { load } from '@asciidoctor/core';
import { type Convert, textOf } from './converted.ts';
import { htmlToMarkdown } from './html.ts';

export const convert: Convert = async (bytes) => {
  const attributes = { showtitle: true, toc: null, 'source-highlighter': null };
  const document = await load(textOf(bytes), { safe: 'secure', attributes });
  const html = await document.convert({ standalone: false });
  const author = document.getAttribute('author');
  const date = document.getAttribute('revdate');
  return { markdown: htmlToMarkdown(String(html)), fields: { author, date } };
};
