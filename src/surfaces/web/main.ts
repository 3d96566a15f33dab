/** Starts the page of a server. */
import { serverParts } from './server-parts.tsx';
import { createSession } from './session.ts';
import { startPage } from './start-page.tsx';

startPage(createSession(), serverParts);
