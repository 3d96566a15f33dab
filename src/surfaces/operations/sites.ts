/** Operations on the web sites that were added: `add_site`, `list_sites` and `remove_site`. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { count, listOf, warningShape } from './shapes.ts';
import { toWire } from './wire.ts';

const address = z.string().min(1);
const placeShape = {
  url: z.string().describe('Address of the site.'),
  folder: z.string().describe('Folder of its Markdown files.'),
  pages: z.int().describe('Number of pages in the folder.'),
};

export const addSite = defineOperation({
  name: 'add_site',
  summary: 'Fetch the pages of a web site to search them, or bring them up to date',
  description:
    'Reads the pages that llms.txt or the sitemap of the site lists, and keeps them as Markdown in the data folder. ' +
    'Obeys robots.txt. A page is fetched again only if it has changed. Without an address, all added sites are brought up to date. ' +
    'Searches name the site by its address and fetch nothing.',
  input: () => ({
    url: address
      .optional()
      .describe('Address of the documentation, such as https://host/docs/, or of its llms.txt or sitemap.'),
    max_pages: count(100_000).describe('Max pages to keep (default: as before, or 2000 for a new site).'),
  }),
  output: () => ({
    sites: listOf({
      ...placeShape,
      added: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      removed: z.int().describe('Pages that the site does not list any more, or that are gone.'),
      failed: z.int().describe('Pages that could not be read. If they were read before, that text is kept.'),
      complete: z.boolean().describe('False if not all pages were asked for; the next run goes on.'),
      warnings: z.array(warningShape),
    }),
  }),
  readOnly: false,
  cli: { command: ['add'], arguments: ['url'], values: { max_pages: 'number' }, standalone: true },
  async run({ now }, { url, max_pages: maxPages }, { signal, onProgress }) {
    const { addSites } = await import('../../engine/open-sites.ts');
    const onPages = (done: number, total: number) => onProgress?.({ phase: 'fetch', done, total });
    return toWire({ sites: await addSites(url, { maxPages, now, signal, onProgress: onPages }) });
  },
});

export const listSites = defineOperation({
  name: 'list_sites',
  summary: 'List the web sites that were added',
  output: () => ({
    sites: listOf({
      ...placeShape,
      updated: z.string().optional().describe('When all pages were read last, ISO 8601 UTC.'),
    }),
  }),
  readOnly: true,
  cli: { command: ['sites'], standalone: true },
  async run() {
    const { listSites: list } = await import('../../engine/open-sites.ts');
    const sites = (await list()).map(({ updated, ...site }) => ({
      ...site,
      ...(updated !== undefined && { updated: new Date(updated).toISOString() }),
    }));
    return { sites };
  },
});

export const removeSite = defineOperation({
  name: 'remove_site',
  summary: 'Delete the pages of an added web site',
  description: 'An index made of them stays; docfuse indexes lists it.',
  input: () => ({ url: address.describe('Address with which the site was added.') }),
  output: () => ({ folder: z.string() }),
  readOnly: false,
  cli: { command: ['sites', 'rm'], arguments: ['url'], standalone: true },
  async run(_, { url }) {
    const { removeSite: remove } = await import('../../engine/open-sites.ts');
    return { folder: await remove(url) };
  },
});
