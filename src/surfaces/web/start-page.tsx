/** Starts the page. Its HTML names the views that are offered. */
import { render } from 'preact';
import { App } from './app.tsx';
import { listenForKeys } from './keys.ts';
import { createPage, type ServerParts } from './page.ts';
import { VIEW_NAMES } from './place.ts';
import type { Session } from './session.ts';
import { showTitle } from './show-title.ts';

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
