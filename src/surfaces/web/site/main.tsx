/** Starts the page of an export. */
import { render } from 'preact';
import { App } from '../app.tsx';
import { listenForKeys } from '../keys.ts';
import { createPage } from '../page.ts';
import { VIEW_NAMES } from '../place.ts';
import { showTitle } from '../show-title.ts';
import { createSiteSession } from './site-session.ts';

const root = document.getElementById('page')!;
const offered = root.dataset.views!.split(' ');
const views = VIEW_NAMES.filter((view) => offered.includes(view));
const page = createPage(createSiteSession(new URL('./', location.href).href, views));
listenForKeys(page);
showTitle(page);
render(<App page={page} />, root);
