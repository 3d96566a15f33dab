/** The session of an exported page: answers come from files beside the page. */
import { signal } from '@preact/signals';
import { DocfuseError } from '../../../core/errors.ts';
import type { Session, Told } from '../session.ts';
import { collections, list, read, related, search, tags } from './answers.ts';
import { openSite, type SiteData } from './site-data.ts';

const MISSING: Told = {
  code: 'away',
  detail: 'A file of this page could not be loaded.',
  remedy: 'Check the connection, then search again.',
};

const NOT_HERE: Told = {
  code: 'usage',
  detail: 'Only a server can answer this.',
  remedy: 'Search for words.',
};

type Answers = Readonly<
  Record<string, (data: SiteData, input: never, stop?: AbortSignal) => Promise<unknown>>
>;

const ANSWERS: Answers = {
  '/api/search': search,
  '/api/documents': list,
  '/api/documents/{document}': read,
  '/api/tags': tags,
  '/api/collections': collections,
  '/api/related': related,
};

export function createSiteSession(base: string): Session {
  let data: Promise<SiteData> | undefined;

  const ask = async (path: string, input: unknown, stop?: AbortSignal) => {
    const answer = ANSWERS[path];
    if (!answer) return { problem: NOT_HERE };
    try {
      data ??= openSite(base);
      return { answer: await answer(await data, input as never, stop) };
    } catch (error) {
      if (stop?.aborted) return undefined;
      if (error instanceof DocfuseError) {
        const { code, message: detail, remedy } = error;
        return { problem: { code, detail, remedy } };
      }
      data = undefined;
      return { problem: MISSING };
    }
  };
  return {
    kind: 'export',
    ask: ask as Session['ask'],
    listen: async () => undefined,
    token: signal('fine' as const),
    giveToken: () => undefined,
    isAway: signal(false),
    returns: signal(0),
  };
}
