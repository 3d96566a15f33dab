/** The session of an exported page: answers come from files beside the page. */
import { signal } from '@preact/signals';
import { DocfuseError } from '../../../core/errors.ts';
import type { AnswerTo, InputTo, Outcome, Routes, Session, Told } from '../session.ts';
import { collections, list, map, problemOf, related, search, tags } from './answers.ts';
import { createMeaning, type SiteMeaning } from './meaning.ts';
import { openSite, type SiteData } from './site-data.ts';
import { read } from './site-documents.ts';

const NOT_HERE: Told = {
  code: 'usage',
  detail: 'Only a server can answer this.',
  remedy: 'Search for words.',
};

type Answers = {
  readonly [Path in keyof Routes]?: (
    data: SiteData,
    input: InputTo<Path>,
    stop?: AbortSignal,
  ) => Promise<AnswerTo<Path>>;
};

const ANSWERS: Answers = {
  '/api/search': search,
  '/api/documents': list,
  '/api/documents/{document}': read,
  '/api/tags': tags,
  '/api/collections': collections,
  '/api/related': related,
  '/api/map': map,
};

export function createSiteSession(base: string): Session {
  const meaning = signal<SiteMeaning | undefined>();
  let data: Promise<SiteData> | undefined;
  let files = '';

  async function open(): Promise<SiteData> {
    const site = await openSite(base);
    const { data: folder, meaning: model } = site.start;
    const found = `${folder} ${model?.folder}`;
    // The same files need no new worker.
    if (found === files) return site;
    files = found;
    meaning.value?.close();
    meaning.value = createMeaning(base, site.start);
    return site;
  }

  async function ask<Path extends keyof Routes>(
    path: Path,
    input: InputTo<Path>,
    stop?: AbortSignal,
  ): Promise<Outcome<AnswerTo<Path>> | undefined> {
    const answer: Answers[Path] = ANSWERS[path];
    if (!answer) return { problem: NOT_HERE };
    if (path === '/api/search' && meaning.value?.state.value === 'ready') {
      const found = await meaning.value.ask(input as InputTo<'/api/search'>, stop);
      if (found || stop?.aborted) return found as Outcome<AnswerTo<Path>> | undefined;
    }
    try {
      return { answer: await answered((site) => answer(site, input, stop), stop) };
    } catch (error) {
      return stop?.aborted ? undefined : { problem: problemOf(error) };
    }
  }

  /** Opens the export again if a file is missing: a newer export has removed the files of the old one. */
  async function answered<T>(ask: (site: SiteData) => Promise<T>, stop?: AbortSignal): Promise<T> {
    const isFirst = data === undefined;
    data ??= open();
    const mine = data;
    return mine.then(ask).catch((error: unknown) => {
      if (stop?.aborted || error instanceof DocfuseError) throw error;
      // Another question may have opened the export again.
      if (data === mine) data = undefined;
      if (isFirst) throw error;
      return answered(ask, stop);
    });
  }
  return { meaning, ask };
}
