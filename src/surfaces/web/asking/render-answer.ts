/** Renders the Markdown of a written answer as safe HTML. Its citations become links to the passages. */
import MarkdownIt from 'markdown-it';
import { splitCitations } from '../../operations/citations.ts';
import type { OpenDocument, Place } from '../place.ts';
import { setDocument, textsIn } from '../render-document.ts';
import { createSanitiser } from '../sanitise.ts';

type Passages = ReadonlyMap<number, OpenDocument>;

/**
 * Returns a function that renders an answer. In the fragment, links to other sites show their host. `passages` has the place of
 * each passage by its number.
 */
export function createAnswerRenderer(): (text: string, passages: Passages, place: Place) => DocumentFragment {
  // Definitions such as `[1]: https://…` would turn citations into links of the model's choice.
  const markdown = new MarkdownIt({ maxNesting: 32 }).disable(['reference', 'image']);
  const sanitise = createSanitiser();

  return (text, passages, place) => {
    const fragment = sanitise(markdown.render(text));
    for (const link of fragment.querySelectorAll('a')) nameTarget(link);
    for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      const plain = document.createElement('p');
      plain.append(...heading.childNodes);
      heading.replaceWith(plain);
    }
    for (const block of fragment.querySelectorAll<HTMLElement>('p, li, td, th')) block.dir = 'auto';
    for (const code of fragment.querySelectorAll<HTMLElement>('pre')) code.tabIndex = 0;
    for (const node of textsIn(fragment)) {
      if (!node.parentElement?.closest('code, pre, a'))
        node.replaceWith(...linked(node.data, passages, place));
    }
    return fragment;
  };
}

/** Shows the host of a link: a document may have told the model to write a misleading link. */
function nameTarget(link: HTMLAnchorElement): void {
  const address = URL.parse(link.getAttribute('href') ?? '');
  if (!address || !/^https?:$/.test(address.protocol)) {
    link.removeAttribute('href');
    return;
  }
  link.target = '_blank';
  link.rel = 'noreferrer noopener';
  if (URL.parse(link.textContent)?.host !== address.host) link.append(` (${address.host})`);
}

function linked(text: string, passages: Passages, place: Place): readonly (string | Node)[] {
  return splitCitations(text).map((part) => {
    const passage = typeof part === 'number' ? passages.get(part) : undefined;
    if (!passage) return String(part);
    const link = document.createElement('a');
    setDocument(link, passage, place);
    link.textContent = String(part);
    link.setAttribute('aria-label', `Passage ${part}`);
    return link;
  });
}
