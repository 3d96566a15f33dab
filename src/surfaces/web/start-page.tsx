/** Starts the page. Its HTML names the views that are offered. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { plainTitle } from './document-link.tsx';
import { listenForKeys } from './keys.ts';
import { createPage, type Page, type ServerParts } from './page.ts';
import { VIEW_NAMES } from './place.ts';
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
  root.replaceChildren();
  render(<App page={page} />, root);
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
