/** Keeps the title of the tab: the open document or the query, the view, and the name of the page. */
import { effect } from '@preact/signals';
import { plainTitle } from './document-link.tsx';
import type { Page } from './page.ts';
import { VIEW_LABELS } from './views.tsx';

/** Characters of a query in the title. */
const MAX = 80;

export function showTitle({ place, reader }: Page): void {
  const name = document.title;
  effect(() => {
    const { query, view, document: open } = place.value;
    const read = reader.shown.value?.answer;
    const title = read ? plainTitle(read.title) : open?.id;
    const what = title || query.trim().slice(0, MAX);
    document.title = [what, view !== 'search' && VIEW_LABELS[view], name].filter(Boolean).join(' · ');
  });
}
