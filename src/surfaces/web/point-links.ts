/** Points the wikilinks of a rendered document to the documents that the link graph knows, and marks those that lead nowhere. */
import { isNamed, isOn, type LinkedPage, linkedFrom, wikiTarget } from './links.ts';
import type { Place } from './place.ts';
import type { ReadText } from './reader.ts';
import { GOES_TO, setDocument } from './render-document.ts';
import { LAST_LINE, LINE } from './sanitise.ts';
import { WIKI } from './wikilinks.ts';

export interface Linked {
  readonly pages: readonly LinkedPage[];
  /** Whether the list is complete; a long list is cut. */
  readonly isWhole: boolean;
}

export function pointLinks(
  frame: HTMLElement,
  from: ReadText,
  { pages, isWhole }: Linked,
  place: Place,
): void {
  const links = [...frame.querySelectorAll<HTMLAnchorElement>(`a[${WIKI}]`)];
  for (const [block, ofBlock] of Map.groupBy(links, (link) => link.closest(`[${LINE}]`))) {
    if (!block) continue;
    const lines = [LINE, LAST_LINE].map((name) => Number(block.getAttribute(name))) as [number, number];
    const linked = linkedFrom(lines, pages);
    // Number of links of the graph on these lines that are not matched to a shown link yet. If some remain at the end, a shown
    // link without a document may name one of their documents by an alias.
    let others = linked.flatMap(({ links }) => links.filter((each) => isOn(lines, each))).length;
    for (const link of block.querySelectorAll(`a[${GOES_TO}]:not([${WIKI}])`)) {
      const { id } = JSON.parse(link.getAttribute(GOES_TO)!) as { id: string };
      if (linked.some(({ document_id }) => document_id === id)) others--;
    }
    const lost: HTMLAnchorElement[] = [];
    for (const link of ofBlock) {
      const target = wikiTarget(link.getAttribute(WIKI)!);
      if (target.kind !== 'document') continue;
      const named = linked.filter((page) => isNamed(page, target.id));
      const [found] = named.length === 0 && isNamed(from, target.id) ? [from] : named;
      if (named.length > 0) others--;
      if (!found) lost.push(link);
      else if (named.length <= 1) {
        setDocument(link, { id: found.document_id, heading: target.heading }, place);
        setMissing(link, false);
      }
    }
    for (const link of lost) setMissing(link, isWhole && others <= 0);
  }
}

function setMissing(link: HTMLAnchorElement, isMissing: boolean): void {
  link.classList.toggle('missing', isMissing);
  if (isMissing) link.title = 'No document has this name.';
  else link.removeAttribute('title');
}
