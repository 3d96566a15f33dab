/** Starts the page of an export. */
import { render } from 'preact';
import { App } from '../app.tsx';
import { listenForKeys } from '../keys.ts';
import { createPage } from '../page.ts';
import { createSiteSession } from './site-session.ts';

const page = createPage(createSiteSession(new URL('./', location.href).href));
listenForKeys(page);
render(<App page={page} />, document.getElementById('page')!);
