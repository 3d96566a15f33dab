/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { listenForKeys } from './keys.ts';
import { createPage } from './page.ts';
import { serverParts } from './server-parts.ts';
import { createSession } from './session.ts';
import { showTitle } from './show-title.ts';

const page = createPage(createSession(), serverParts);
listenForKeys(page);
showTitle(page);
render(<App page={page} />, document.getElementById('page')!);
