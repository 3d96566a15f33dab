/** Prints what was fetched of web sites, and how to search them. */
import { count, plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import { noteFiles } from './indexing.ts';
import type { Answer, ViewContext } from './view.ts';

export function showAdded({ sites }: Answer<'add_site'>, context: ViewContext): void {
  const { print, note } = context;
  for (const site of sites) {
    const { url, folder, pages } = site;
    const changes = (['added', 'changed', 'unchanged', 'removed', 'failed'] as const)
      .filter((kind) => site[kind] > 0)
      .map((kind) => `${count(site[kind])} ${kind}`);
    print(oneLine(`${url}: ${[plural(pages, 'page'), ...changes].join(', ')}, in ${folder}`));
    noteFiles({ skipped: [], warnings: site.warnings }, context);
    if (pages > 0) note(`To search it: docfuse search "QUERY" ${url}`);
  }
}
