/** A site on this machine and the folder that it is fetched into. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createConverter } from '../../../src/adapters/formats/create-converter.ts';
import { type FetchOptions, fetchSite } from '../../../src/adapters/sites/fetch-site.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type SiteFile, startSite } from './site-server.ts';

const converter = createConverter({ isInstalled: () => true });

export async function prepareSite(files: Readonly<Record<string, string | SiteFile>>) {
  const site = await startSite(files);
  onTestFinished(() => site[Symbol.asyncDispose]());
  const folder = join(temporaryFolder(), 'site');
  let clock = 1_000_000_000_000;
  const run = (path = '/docs/', options: Partial<FetchOptions> = {}) =>
    fetchSite({
      ...{ site: new URL(path, site.url), folder, converter, pauseMs: 0, userAgent: 'docfuse/1.0' },
      now: () => clock++,
      ...options,
    });
  const paths = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.docfuse-site.json')
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8').replaceAll(site.url, 'SITE');
  const asked = (only: (path: string) => boolean = () => true) => site.log.splice(0).filter(only);
  return { site, folder, run, paths, read, asked };
}
