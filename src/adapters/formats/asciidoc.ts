/** Converts AsciiDoc to Markdown. Does not follow includes: a conversion reads only its own file. */
import { load } from '@asciidoctor/core';
import { type Convert, textOf } from './converted.ts';
import { htmlToMarkdown } from './html.ts';

/** A line that includes a file. Asciidoctor would make a link of it. */
const INCLUDE = /^include::[^\s[][^[\n]*\[.*\][ \t\r]*$/gm;

export const convert: Convert = async (bytes) => {
  // With `relfilesuffix`, references lead to the `.adoc` files that exist, not to HTML files made from them.
  const attributes = { showtitle: true, toc: null, 'source-highlighter': null, relfilesuffix: '.adoc' };
  const document = await load(textOf(bytes).replace(INCLUDE, ''), { safe: 'secure', attributes });
  const html = await document.convert({ standalone: false });
  const author = document.getAttribute('author');
  const date = document.getAttribute('revdate');
  return { markdown: htmlToMarkdown(String(html)), fields: { author, date } };
};
