/** The address of a web site that was added, and its folder on this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { shortName, sitesFolder } from './places.ts';
import { isLoopback, mayHoldKey, withoutUsers } from './web-names.ts';

export function isSiteAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** @throws DocfuseError `usage` for other texts, for an address that may hold a key, and for http to another machine */
export function readSiteAddress(text: string): URL {
  const url = URL.parse(text);
  if (!url || !isSiteAddress(text))
    throw new DocfuseError(
      'usage',
      `${withoutUsers(text)} is not the address of a web site.`,
      'Write it like https://host/docs/.',
    );
  // The address is not repeated: the message may be shown to others.
  if (mayHoldKey(url))
    throw new DocfuseError(
      'usage',
      'The address of the site has a user name, a password, or a part after ? or #.',
      'Leave it out: docfuse reads only sites that everybody may read.',
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new DocfuseError('usage', `${text} is not encrypted.`, 'Write https:// in place of http://.');
  return url;
}

/** Returns the folder of a site, which exists only if the site was added. A slash at the end of the address makes no difference. */
export function siteFolder(site: URL): string {
  const address = site.href.replace(/\/+$/, '');
  const label = `${site.host}${site.pathname}`.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/_+$/, '');
  return join(sitesFolder(), `${label.slice(0, 60)}-${shortName(address, 8)}`);
}

/** @throws DocfuseError `not_found` for a site that was not added, and as `readSiteAddress` */
export function findSite(text: string): string {
  const site = readSiteAddress(text);
  const folder = siteFolder(site);
  if (existsSync(folder)) return folder;
  throw new DocfuseError(
    'not_found',
    `The pages of ${site.href} are not on this machine.`,
    `Fetch them: docfuse add ${site.href}`,
  );
}
