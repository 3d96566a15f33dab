/** Renders the Markdown of a document as a fragment of safe HTML. Attributes of its blocks hold their lines in the file. */
import MarkdownIt, { type MarkdownIt as Markdown, type Token } from 'markdown-it';
// @ts-expect-error The package has no types.
import highlights from 'markdown-it-mark';
import { createAnchorNames } from '../../core/text/anchor-name.ts';
import { targetOf, wikiTarget } from './links.ts';
import { addressOf, type OpenDocument, type Place } from './place.ts';
import type { ReadText } from './reader.ts';
import { ANCHOR, createSanitiser, LAST_LINE, LINE, PICTURE } from './sanitise.ts';
import { tasks, WIKI, wikilinks } from './shared-rules.ts';

type Source = Pick<ReadText, 'collection' | 'path' | 'text' | 'start_line' | 'fence'>;

export type Heading = ReturnType<typeof readOutline>[number];

/** Name of the attribute that holds the place of the document that a link leads to, as JSON. */
export const GOES_TO = 'data-goes-to';

/** Name of the attribute for the alternative text of a picture. */
export const NAME = 'data-name';

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, td, th, dt, dd, summary, caption';

/**
 * A text whose first letter belongs to a script that is written from right to left. For lists, `dir="auto"` does not work: it
 * ignores items that have a `dir`.
 */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** @param plugins further plugins of markdown-it, for documents only; the plugins for snippets are always used */
export function createRenderer(...plugins: readonly ((markdown: Markdown) => void)[]) {
  const markdown = new MarkdownIt({ html: true, maxNesting: 32 });
  for (const plugin of [wikilinks, highlights, tasks, ...plugins]) markdown.use(plugin);
  const sanitise = createSanitiser();

  function toHtml({ text, start_line, fence }: Source): string {
    const tokens = markdown.parse(fence === undefined ? text : `${fence}\n${text}`, {});
    const first = fence === undefined ? start_line : start_line - 1;
    for (const token of tokens) {
      alignCell(token);
      if (!token.map || token.nesting < 0) continue;
      token.attrSet(LINE, String(first + token.map[0]));
      token.attrSet(LAST_LINE, String(first + token.map[1] - 1));
    }
    return markdown.renderer.render(tokens, markdown.options, {});
  }

  return (source: Source, place: Place) => {
    const fragment = sanitise(toHtml(source));
    for (const block of fragment.querySelectorAll<HTMLElement>(BLOCKS)) block.dir ||= 'auto';
    for (const list of fragment.querySelectorAll<HTMLElement>('ul, ol, table, blockquote'))
      if (RIGHT_TO_LEFT.test(list.textContent)) list.dir ||= 'rtl';
    for (const code of fragment.querySelectorAll<HTMLElement>('pre, table')) makeScrollable(code);
    for (const picture of fragment.querySelectorAll('img')) showPicture(picture, source);
    for (const link of fragment.querySelectorAll('a')) setTarget(link, source, place);
    const outline = readOutline(fragment);
    // Links must be able to focus anchors. What Tab reaches already, such as the link of a footnote, stays as it is.
    for (const named of fragment.querySelectorAll<HTMLElement>(`[${ANCHOR}]`))
      if (named.tabIndex < 0) named.tabIndex = -1;
    return { fragment, outline };
  };
}

/** Replaces the style of a table cell by `align`: the Content-Security-Policy of the page allows no inline styles. */
function alignCell(token: Token): void {
  const style = token.attrGet('style');
  if (typeof style !== 'string') return;
  token.attrs = token.attrs!.filter(([name]) => name !== 'style');
  token.attrSet('align', style.replace('text-align:', ''));
}

/** Lets the keyboard scroll wide code and tables. */
function makeScrollable(element: HTMLElement): void {
  if (element.nodeName === 'PRE') element.tabIndex = 0;
  else {
    const frame = document.createElement('div');
    frame.className = 'wide';
    frame.tabIndex = 0;
    element.replaceWith(frame);
    frame.append(element);
  }
}

/** Replaces a picture that is not embedded in the document: by a link if it is on another server, otherwise by its name. */
function showPicture(picture: HTMLImageElement, source: Source): void {
  const address = picture.getAttribute(PICTURE);
  picture.alt ||= '';
  picture.setAttribute(NAME, picture.alt);
  if (address === null) return;
  const target = targetOf(address, source);
  const name = picture.alt || address.slice(0, 80);
  if (target?.kind !== 'outside') {
    const named = document.createElement('span');
    named.className = 'picture';
    named.setAttribute(NAME, picture.alt);
    named.textContent = `Picture: ${name}`;
    picture.replaceWith(named);
    return;
  }
  const link = document.createElement('a');
  link.className = 'picture button';
  link.setAttribute(NAME, picture.alt);
  link.href = target.address;
  link.textContent = `Open picture from ${new URL(target.address).host}: ${name}`;
  // A link inside a link does not work.
  (picture.closest('a') ?? picture).replaceWith(link);
}

export function setDocument(link: HTMLAnchorElement, next: OpenDocument, place: Place): void {
  link.href = addressOf({ ...place, document: next });
  link.setAttribute(GOES_TO, JSON.stringify(next));
}

function setTarget(link: HTMLAnchorElement, source: Source, place: Place): void {
  const wiki = link.getAttribute(WIKI);
  const href = link.getAttribute('href');
  const target = wiki !== null ? wikiTarget(wiki) : href !== null ? targetOf(href, source) : undefined;
  if (target === undefined) link.removeAttribute('href');
  else if (target.kind === 'outside') {
    link.href = target.address;
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  } else {
    const id = target.kind === 'heading' ? `${source.collection}/${source.path}` : target.id;
    setDocument(link, { id, heading: target.heading || undefined }, place);
  }
}

/** Numbers the headings, and makes their levels two deeper: the page itself has headings of two levels. */
function readOutline(fragment: DocumentFragment) {
  const headings = [...fragment.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')];
  const anchorOf = createAnchorNames();
  return headings.map((heading, number) => {
    const text = heading.textContent.trim();
    const level = Number(heading.nodeName.slice(1));
    heading.id = `heading-${number}`;
    heading.setAttribute(ANCHOR, anchorOf(text));
    heading.setAttribute('aria-level', String(Math.min(level + 2, 6)));
    return { id: heading.id, level, text };
  });
}

export function textsIn(fragment: DocumentFragment): readonly Text[] {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}
