/** Renders the Markdown of a written answer as safe HTML. Its citations become links to the passages. */
import MarkdownIt from 'markdown-it';
import { splitCitations } from '../../operations/citations.ts';
import { createSanitiser } from '../sanitise.ts';

/** Name of the attribute that holds the number of the passage that a link cites. */
export const CITES = 'data-cites';

/**
 * Returns a function that renders an answer. In the fragment, links to other sites show their host.
 * `addressOfPassage` returns undefined for a number that no passage has.
 */
export function createAnswerRenderer(): (
  text: string,
  addressOfPassage: (number: number) => string | undefined,
) => DocumentFragment {
  // Definitions such as `[1]: https://…` would turn citations into links of the model's choice.
  const markdown = new MarkdownIt({ maxNesting: 32 }).disable(['reference', 'image']);
  const sanitise = createSanitiser();

  return (text, addressOfPassage) => {
    const fragment = sanitise(markdown.render(text));
    for (const link of fragment.querySelectorAll('a')) nameTarget(link);
    for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      const plain = document.createElement('p');
      plain.append(...heading.childNodes);
      heading.replaceWith(plain);
    }
    for (const block of fragment.querySelectorAll<HTMLElement>('p, li, td, th')) block.dir = 'auto';
    for (const code of fragment.querySelectorAll<HTMLElement>('pre')) code.tabIndex = 0;
    const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const node of found) {
      if (!node.parentElement?.closest('code, pre, a'))
        node.replaceWith(...linked(node.data, addressOfPassage));
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

function linked(
  text: string,
  addressOfPassage: (number: number) => string | undefined,
): readonly (string | Node)[] {
  return splitCitations(text).map((part) => {
    const address = typeof part === 'number' ? addressOfPassage(part) : undefined;
    if (address === undefined) return String(part);
    const link = document.createElement('a');
    link.href = address;
    link.textContent = String(part);
    link.setAttribute(CITES, String(part));
    link.setAttribute('aria-label', `Passage ${part}`);
    return link;
  });
}
