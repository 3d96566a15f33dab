/** The web sites whose pages were fetched to this machine: adds, refreshes, lists and removes them. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createConverter } from '../adapters/formats/create-converter.ts';
import { type FetchOptions, type FetchReport, fetchSite } from '../adapters/sites/fetch-site.ts';
import { readManifest } from '../adapters/sites/manifest.ts';
import { acquireWriteLock } from '../adapters/store/lock.ts';
import { DocfuseError } from '../core/errors.ts';
import { sitesFolder } from './config/places.ts';
import { findSite, readSiteAddress, siteFolder } from './config/site-place.ts';
import { isLoopback, requireAllowed } from './config/web-names.ts';
import { isInstalled } from './installed.ts';
import { withReason } from './tasks.ts';
import { VERSION } from './version.ts';

export interface KeptSite {
  /** Address that the user added. */
  readonly url: string;
  /** Folder of its Markdown files, absolute. */
  readonly folder: string;
  readonly pages: number;
  /** When all pages were read last, in milliseconds since 1970; undefined before the end of the first run. */
  readonly updated: number | undefined;
}

export type AddedSite = Omit<KeptSite, 'updated'> & FetchReport;

export type AddOptions = Pick<FetchOptions, 'maxPages' | 'now' | 'onProgress' | 'signal'>;

/** Milliseconds between two requests to a site on another machine: about three requests a second. */
const PAUSE_MS = 300;

/** Returns the sites in order of their addresses. */
export async function listSites(): Promise<readonly KeptSite[]> {
  const parent = sitesFolder();
  const names = await readdir(parent).catch(() => []);
  const sites = await Promise.all(
    names.map(async (name): Promise<readonly KeptSite[]> => {
      const folder = join(parent, name);
      const manifest = await readManifest(folder);
      if (!manifest) return [];
      const { url, updated, pages } = manifest;
      return [{ url, folder, pages: Object.keys(pages).length, updated }];
    }),
  );
  return sites.flat().toSorted((a, b) => (a.url < b.url ? -1 : 1));
}

/**
 * Fetches the pages of a site; if the site was fetched before, only its changed pages.
 * @param address if undefined, all added sites are fetched; an error of one site is then a warning and does not stop the others
 * @throws DocfuseError `usage` for a wrong address, or if no site was added; `not_found` if the site has no list of pages;
 *   `remote`; `storage`; `aborted`; `index_busy` if another process fetches the site
 */
export async function addSites(
  address: string | undefined,
  options: AddOptions,
): Promise<readonly AddedSite[]> {
  if (address !== undefined) return [await addSite(readSiteAddress(address), options)];
  const known = await listSites();
  if (known.length === 0)
    throw new DocfuseError('usage', 'No site was added yet.', 'Name one: docfuse add https://host/docs/');
  const sites: AddedSite[] = [];
  for (const { url, folder, pages } of known) {
    const added = await addSite(new URL(url), options).catch((error: unknown) => {
      if (!(error instanceof DocfuseError) || options.signal?.aborted) throw error;
      const warnings = [{ path: '', message: `${error.message} ${error.remedy}` }];
      return { ...NOTHING, url, folder, pages, warnings };
    });
    sites.push(added);
  }
  return sites;
}

const NOTHING = { added: 0, changed: 0, unchanged: 0, removed: 0, failed: 0, complete: false };

async function addSite(site: URL, options: AddOptions): Promise<AddedSite> {
  requireAllowed(site.href);
  const folder = siteFolder(site);
  return alone(site, folder, async () => {
    const fetching = fetchSite({
      ...options,
      site,
      folder,
      userAgent: `docfuse/${VERSION}`,
      // A server on this machine needs no pauses.
      pauseMs: isLoopback(site.hostname) ? 0 : PAUSE_MS,
      converter: createConverter({ isInstalled }),
    });
    return { url: site.href, folder, ...(await withReason(fetching, options.signal)) };
  });
}

/** Deletes the pages of a site. @returns its folder @throws DocfuseError `usage`, `not_found`, `index_busy`, `storage` */
export async function removeSite(address: string): Promise<string> {
  const folder = findSite(address);
  await alone(readSiteAddress(address), folder, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @throws DocfuseError `index_busy` if another process fetches or removes the site; `storage` */
async function alone<T>(site: URL, folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(sitesFolder(), { recursive: true, mode: 0o700 });
  const lock = await acquireWriteLock(folder, { waitMs: 0 }).catch((cause) => {
    if (cause.code !== 'index_busy') throw cause;
    const message = `Another process is fetching ${site.href}.`;
    throw new DocfuseError('index_busy', message, 'Wait until it has finished.', { cause });
  });
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, folder);
  } finally {
    lock.release();
  }
}

function asStorageError(error: unknown, folder: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof DocfuseError || !/^E[A-Z]+$/.test(code ?? '')) return error;
  const remedy = 'Free disk space or correct the permissions, then try again; what was fetched is kept.';
  return new DocfuseError('storage', `The pages cannot be written to ${folder}: ${message}.`, remedy, {
    cause: error,
  });
}
