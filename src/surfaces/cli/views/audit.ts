/** Prints broken links, documents with copies and the documents with the most passages, one place a line. */
import { posix } from 'node:path';
import { count, formatBytes, plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import { type Answer, NO_DOCUMENT, type ViewContext } from './views.ts';

export function showAudit(
  { broken_links: broken, duplicates, sizes }: Answer<'audit'>,
  { print, note, locate, terminal }: ViewContext,
): void {
  const documents = sizes.spread.reduce((sum, each) => sum + each.documents, 0);
  if (documents === 0) {
    note(NO_DOCUMENT);
    return;
  }
  const placeOf = ({ collection, path }: { readonly collection: string; readonly path: string }) =>
    locate(collection, path);
  const { bold, cyan } = terminal.colors;
  const heading = (text: string) => print(bold(text));
  const noteRest = (all: number, shown: number) => {
    if (all > shown) print(`  and ${count(all - shown)} more; --limit shows more`);
  };

  heading(`Broken links: ${count(broken.count)}`);
  for (const link of broken.shown)
    print(
      `  ${cyan(`${placeOf(link)}:${link.line}`)}  ${oneLine(link.target)}${leadsOut(link.path, link.target) ? '  outside of the indexed folder' : ''}`,
      4,
    );
  noteRest(broken.count, broken.shown.length);

  heading(`Documents with copies: ${count(duplicates.count)}`);
  for (const { copies, copy_count, ...document } of duplicates.shown) {
    print(`  ${cyan(placeOf(document))}`);
    for (const copy of copies) {
      const far = copy.share < 1 ? `  ${Math.floor(copy.share * 100)} % of its passages` : '';
      print(`    ${cyan(placeOf(copy))}${far}`);
    }
    if (copy_count > copies.length) print(`    and ${count(copy_count - copies.length)} more`);
  }
  noteRest(duplicates.count, duplicates.shown.length);

  heading('Most passages');
  for (const { chunks, bytes, ...document } of sizes.largest)
    print(`  ${cyan(placeOf(document))}  ${plural(chunks, 'passage')}, ${formatBytes(bytes)}`);
  note(`${plural(documents, 'document')} looked at`);
}

/** Whether a link such as `../../README.md` leads out of the folder of its collection. @param path inside the collection */
export function leadsOut(path: string, target: string): boolean {
  return /^\.\.(?:\/|$)/.test(posix.join(posix.dirname(path), target));
}
