/** Converts HTML to Markdown: the main part of the page, without navigation, scripts and styles. */
import { NodeHtmlMarkdown } from 'node-html-markdown';
import { type Convert, textOf } from './converted.ts';

/** Parts of a page that are not its text. */
const IGNORED = 'script style nav template noscript svg iframe button select input textarea option'.split(
  ' ',
);

const converter = new NodeHtmlMarkdown({
  ignore: IGNORED,
  codeBlockStyle: 'fenced',
  maxConsecutiveNewlines: 2,
  // With inline links, a link whose text is its target becomes `<target>`, which is a link only for a complete address.
  useInlineLinks: false,
});

export const convert: Convert = (bytes) => htmlPage(textOf(bytes));

/** Min share of the page's text that `<main>` must contain. With less text, the whole page is converted. */
const MAIN_SHARE = 0.3;

const META = /<meta\b((?:[^<>"']|"[^"]{0,500}"|'[^']{0,500}'){0,500})>/gi;
const AUTHOR = /\sname\s*=\s*(["']?)author\1(?![\w-])/i;
const CONTENT = /\scontent\s*=\s*(["'])(.*?)\1/is;

/** @returns the text of `<main>` if it has enough of the page's text, else the text of the page; the title is the page's title */
export function htmlPage(html: string) {
  const visible = html.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '');
  const title = /<title\b[^>]{0,500}>([^<]{0,1000})/i.exec(visible)?.[1];
  const metas = [...visible.matchAll(META)].map(([, attributes = '']) => attributes);
  const author = CONTENT.exec(metas.find((attributes) => AUTHOR.test(attributes)) ?? '')?.[2];
  const whole = htmlToMarkdown(visible);
  const main = htmlToMarkdown(mainOf(visible));
  return {
    markdown: main.length >= whole.length * MAIN_SHARE ? main : whole,
    fields: { title: title && plain(title), author: author && plain(author) },
  };
}

function mainOf(html: string): string {
  const start = html.search(/<main\b/i);
  const end = [...html.matchAll(/<\/main\s*>/gi)].at(-1)?.index ?? 0;
  return start >= 0 && end > start ? html.slice(start, end) : '';
}

export function htmlToMarkdown(html: string): string {
  return converter.translate(withCode(html));
}

/** Puts the content of each `<pre>` in `<code>`: a `<pre>` alone does not become a code block. */
function withCode(html: string): string {
  const close = /<\/pre\s*>/gi;
  let marked = '';
  let at = 0;
  for (const { 0: tag, index } of html.matchAll(/<pre\b[^>]{0,500}>/gi)) {
    const start = index + tag.length;
    if (index < at || /^\s{0,99}<code/i.test(html.slice(start, start + 110))) continue;
    close.lastIndex = start;
    const end = close.exec(html)?.index;
    if (end === undefined) break; // then no later `<pre>` is closed either
    marked += `${html.slice(at, start)}<code>${html.slice(start, end)}</code>`;
    at = end;
  }
  return marked + html.slice(at);
}

/** Converts a piece of HTML, such as a title, to one line of text. */
function plain(html: string): string {
  return htmlToMarkdown(html).replaceAll('\\', '').replace(/\s+/g, ' ').trim();
}
