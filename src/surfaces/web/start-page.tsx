/** Starts the page. Its HTML names the views that are offered. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { isForElsewhere, plainTitle } from './document-link.tsx';
import { listenForKeys } from './keys.ts';
import { createPage, type Page, type ServerParts } from './page.ts';
import { type OpenDocument, VIEW_NAMES } from './place.ts';
import { GOES_TO } from './render-document.ts';
import type { Session } from './session.ts';
import { VIEW_LABELS } from './views.tsx';

/** @param parts parts that only the page of a server has */
export function startPage(session: Session, parts?: ServerParts): void {
  const root = document.getElementById('page')!;
  const offered = root.dataset.views!.split(' ');
  const views = VIEW_NAMES.filter((view) => offered.includes(view));
  const page = createPage(session, views, parts);
  listenForKeys(page);
  showTitle(page);
  root.addEventListener('click', (event) => followLink(event, page));
  root.replaceChildren();
  render(<App page={page} />, root);
}

/** Opens the document of a link in rendered text beside the results. */
function followLink(event: MouseEvent, { open }: Page): void {
  const place = (event.target as Element).closest(`a[${GOES_TO}]`)?.getAttribute(GOES_TO);
  if (!place || isForElsewhere(event)) return;
  event.preventDefault();
  open(JSON.parse(place) as OpenDocument);
}

/** Characters of a query in the title. */
const MAX = 80;

/** Keeps the title of the tab: the open document or the query, the view, and the name of the page. */
function showTitle({ place, reader }: Page): void {
  const name = document.title;
  effect(() => {
    const { query, view, document: open } = place.value;
    const read = reader.shown.value?.answer;
    const title = read ? plainTitle(read.title) : open?.id;
    const what = title || query.trim().slice(0, MAX);
    document.title = [what, view !== 'search' && VIEW_LABELS[view], name].filter(Boolean).join(' · ');
  });
}
