/** Starts the page of an export. */
import { startPage } from '../start-page.tsx';
import { createSiteSession } from './site-session.ts';

startPage(createSiteSession(new URL('./', location.href).href));
