/** The snippet of a hit: rendered like a document, without links, with the words of the query marked. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { andMore, snippetCuts, snippetParts } from '../../core/text/snippet-parts.ts';
import type { Hit } from './finder.ts';
import { usePage } from './page.ts';
import { NAME, textsIn } from './render-document.ts';

/** Characters that stand for the beginning and the end of a match while Markdown is rendered. They are rendered like letters. */
const [BEGIN, END] = ['\ue000', '\ue001'];
const MARKS = /([\ue000\ue001])/;
/** A row of a table. The snippet may lack the head of the table, and would then show `|` signs. */
const ROW = /^[^\n|]*\|/m;

export function Snippet({ hit }: { readonly hit: Pick<Hit, 'text' | 'snippet' | 'collection' | 'path'> }) {
  const { render, place } = usePage();
  const { text, matches, code } = hit.snippet;
  const frame = useRef<HTMLPreElement & HTMLDivElement>(null);
  const isPlain = code || ROW.test(text);
  useLayoutEffect(() => {
    const fragment = isPlain
      ? plainFragment(hit.snippet)
      : render({ ...hit, start_line: 1, text: withMarks(text, matches) }, place.peek()).fragment;
    if (!isPlain) showMarks(withoutLinks(fragment));
    showCuts(fragment, snippetCuts(hit));
    frame.current!.replaceChildren(fragment);
  }, [text, String(matches), code]);
  return code ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide code
    <pre ref={frame} class="snippet" tabIndex={0} />
  ) : (
    <div ref={frame} class={`snippet ${isPlain ? 'plain' : ''}`} dir="auto" />
  );
}

function plainFragment(snippet: Hit['snippet']): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const { text, marked } of snippetParts(snippet)) fragment.append(marked ? markOf(text) : text);
  return fragment;
}

/** Puts marks around the matches. @param ranges sorted, without overlaps */
function withMarks(text: string, ranges: readonly (readonly [number, number])[]): string {
  const own = text.replaceAll(/[\ue000\ue001]/g, ' ');
  return ranges.reduceRight(
    (shown, [from, to]) => `${shown.slice(0, from)}${BEGIN}${shown.slice(from, to)}${END}${shown.slice(to)}`,
    own,
  );
}

/** Replaces links, pictures and headings by their text: a hit already has one link and one heading. */
function withoutLinks(fragment: DocumentFragment): DocumentFragment {
  for (const picture of fragment.querySelectorAll<HTMLElement>('img, .picture'))
    picture.replaceWith(picture.getAttribute(NAME) ?? '');
  // Remove an empty code block: the snippet may end where code begins.
  for (const code of fragment.querySelectorAll('pre')) if (code.textContent.trim() === '') code.remove();
  for (const link of fragment.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const bold = document.createElement('strong');
    bold.append(...heading.childNodes);
    const line = document.createElement('p');
    line.append(bold);
    heading.replaceWith(line);
  }
  // The whole snippet has one direction, that of its first letter.
  for (const block of fragment.querySelectorAll('[dir]')) block.removeAttribute('dir');
  return fragment;
}

/** Adds `…` where the passage goes on. */
function showCuts(fragment: DocumentFragment, { before, after }: ReturnType<typeof snippetCuts>): void {
  const texts = textsIn(fragment).filter(({ data }) => data.trim() !== '');
  const [first, last] = [texts[0], texts.at(-1)];
  if (before && first) outsideOf(first).before('…');
  if (!after || !last) return;
  last.data = last.data.trimEnd();
  outsideOf(last).after(andMore(last.data).slice(last.data.length));
}

/** The inline code or mark that contains a text, or the text itself. */
function outsideOf(text: Text): ChildNode {
  const around = ['code', 'mark'].map((name) => text.parentElement?.closest(name));
  return around.find((each) => each && !each.closest('pre')) ?? text;
}

function markOf(text: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}

/** Replaces the marks by elements. A match may begin in one element and end in another. */
function showMarks(fragment: DocumentFragment): void {
  let isMatch = false;
  for (const node of textsIn(fragment)) {
    const shown = node.data.split(MARKS).flatMap((piece): readonly (string | Node)[] => {
      if (piece === BEGIN || piece === END) {
        isMatch = piece === BEGIN;
        return [];
      }
      return [isMatch && piece !== '' ? markOf(piece) : piece];
    });
    node.replaceWith(...shown);
  }
}
