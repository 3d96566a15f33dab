/** Points the wikilinks of a rendered document to the documents that the link graph knows, and marks those that lead nowhere. */
import { isNamed, type LinkedPage, linkedFrom, wikiTarget } from './links.ts';
import type { Place } from './place.ts';
import type { ReadText } from './reader.ts';
import { GOES_TO, setDocument } from './render-document.ts';
import { LAST_LINE, LINE } from './sanitise.ts';
import { WIKI } from './wikilinks.ts';

export interface Linked {
  readonly pages: readonly LinkedPage[];
  /** Whether these are all linked documents: a long list is cut. */
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
    // A document that no link is known to lead to may be meant by an alias.
    const unknown = new Set(linked.map(({ document_id }) => document_id));
    for (const link of block.querySelectorAll(`a[${GOES_TO}]`))
      unknown.delete((JSON.parse(link.getAttribute(GOES_TO)!) as { id: string }).id);
    const lost: HTMLAnchorElement[] = [];
    for (const link of ofBlock) {
      const target = wikiTarget(link.getAttribute(WIKI)!);
      if (target.kind !== 'document') continue;
      const named = linked.filter((page) => isNamed(page, target.id));
      const [found] = named.length === 0 && isNamed(from, target.id) ? [from] : named;
      for (const { document_id } of named) unknown.delete(document_id);
      if (!found) lost.push(link);
      else if (named.length <= 1) {
        setDocument(link, { id: found.document_id, heading: target.heading }, place);
        setMissing(link, false);
      }
    }
    for (const link of lost) setMissing(link, isWhole && unknown.size === 0);
  }
}

function setMissing(link: HTMLAnchorElement, isMissing: boolean): void {
  link.classList.toggle('missing', isMissing);
  if (isMissing) link.title = 'No document has this name.';
  else link.removeAttribute('title');
}
