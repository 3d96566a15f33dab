/** Converts HTML to Markdown: the main part of the page, without navigation, scripts and styles. */
import { NodeHtmlMarkdown } from 'node-html-markdown';
import { type Convert, textOf } from './converted.ts';

/** Parts of a page that are not its text. */
const IGNORED = ['script', 'style', 'nav', 'template', 'noscript', 'svg', 'iframe', 'form', 'button'];

const converter = new NodeHtmlMarkdown({
  ignore: IGNORED,
  codeBlockStyle: 'fenced',
  maxConsecutiveNewlines: 2,
});

export const convert: Convert = (bytes) => htmlPage(textOf(bytes));

/** @returns the text of `<main>` if there is one, else of the page; the title is that of the page */
export function htmlPage(html: string) {
  const main = /<main\b[^>]*>([\s\S]*)<\/main>/i.exec(html)?.[1];
  const title = /<title\b[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1];
  const author = /<meta\s+name=["']?author["']?\s+content="([^"]*)"/i.exec(html)?.[1];
  return {
    markdown: htmlToMarkdown(main ?? html),
    fields: { title: title && plain(title), author: author && plain(author) },
  };
}

export function htmlToMarkdown(html: string): string {
  // Only `<code>` in `<pre>` becomes a code block.
  const marked = html.replace(/(<pre\b[^>]*>)(?!\s*<code)([\s\S]*?)<\/pre>/gi, '$1<code>$2</code></pre>');
  return converter.translate(marked);
}

/** Returns the text of HTML that is one line, such as a title. */
function plain(html: string): string {
  return htmlToMarkdown(html).replaceAll('\\', '').replace(/\s+/g, ' ').trim();
}
