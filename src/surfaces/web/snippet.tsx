/** The snippet of a hit: rendered like a document, without links, with the words of the query marked. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import type { Hit } from './finder.ts';
import { usePage } from './page.ts';

/** Stand for the beginning and the end of a match while Markdown is rendered: it takes them for letters. */
const [BEGIN, END] = ['\ue000', '\ue001'];
const MARKS = /([\ue000\ue001])/;
/** A row of a table. Without the head of its table, it would be shown with its signs. */
const ROW = /^[^\n|]*\|/m;

export function Snippet({ hit }: { readonly hit: Pick<Hit, 'snippet' | 'collection' | 'path'> }) {
  const { render, place } = usePage();
  const { text, matches, code } = hit.snippet;
  const frame = useRef<HTMLPreElement & HTMLDivElement>(null);
  const isPlain = code || ROW.test(text);
  useLayoutEffect(() => {
    const shown = isPlain && !code ? plainMarkdown(text, matches) : { text, ranges: matches };
    const marked = withMarks(shown.text, shown.ranges);
    const fragment = isPlain
      ? document.createDocumentFragment()
      : withoutLinks(render({ ...hit, start_line: 1, text: marked }, place.peek()).fragment);
    if (isPlain) fragment.append(marked);
    showMarks(fragment);
    frame.current!.replaceChildren(fragment);
  }, [text, String(matches), code]);
  return code ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide code
    <pre ref={frame} class="snippet" tabIndex={0} />
  ) : (
    <div ref={frame} class={`snippet ${isPlain ? 'plain' : ''}`} dir="auto" />
  );
}

/** Puts marks around the matches. Pictures become links, which become text. @param ranges sorted, without overlaps */
function withMarks(text: string, ranges: readonly (readonly [number, number])[]): string {
  const own = text.replaceAll(/[\ue000\ue001]/g, ' ').replaceAll('![', ' [');
  const starts = [0, ...ranges.map(([, end]) => end)];
  const between = starts.map((start, at) => {
    const [from, to] = ranges[at] ?? [own.length, own.length];
    const match = from < to ? `${BEGIN}${own.slice(from, to)}${END}` : '';
    return own.slice(start, from) + match;
  });
  return between.join('');
}

/** Leaves the text of links and headings: a hit has one link and one heading. */
function withoutLinks(fragment: DocumentFragment): DocumentFragment {
  for (const link of fragment.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const bold = document.createElement('strong');
    bold.append(...heading.childNodes);
    const line = document.createElement('p');
    line.append(bold);
    heading.replaceWith(line);
  }
  // The direction of the snippet is that of its first letter.
  for (const block of fragment.querySelectorAll('[dir]')) block.removeAttribute('dir');
  return fragment;
}

/** Replaces the marks by elements. A match may begin in one element and end in another. */
function showMarks(fragment: DocumentFragment): void {
  const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  let isMatch = false;
  for (const node of found) {
    const shown = node.data.split(MARKS).flatMap((piece): readonly (string | Node)[] => {
      if (piece === BEGIN || piece === END) {
        isMatch = piece === BEGIN;
        return [];
      }
      if (!isMatch || piece === '') return [piece];
      const mark = document.createElement('mark');
      mark.textContent = piece;
      return [mark];
    });
    node.replaceWith(...shown);
  }
}
