/** Prints what an indexing run did, what was fetched from web sites, and notes about files. */
import { formatOf } from '../../../core/model/formats.ts';
import { count, formatBytes, plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import { FILES_READ } from '../../../engine/search/notice.ts';
import { LEFT_OUT } from '../../operations/labels.ts';
import type { Answer, ViewContext } from './views.ts';

export function showIndexing(report: Answer<'index'>, context: ViewContext): void {
  const added = context.options.rebuild ? 'read into a new index' : 'added';
  const changes = (['added', 'changed', 'renamed', 'removed', 'unchanged'] as const)
    .filter((kind) => report[kind] > 0)
    .map((kind) => `${count(report[kind])} ${kind === 'added' ? added : kind}`);
  const files = changes.length > 0 ? changes.join(', ') : 'no files';
  if (report.dry_run) {
    context.print(`Dry run: ${files}. Nothing was changed.`);
    if (context.options.purge) {
      const { added, changed, renamed, unchanged } = report;
      const documents = plural(added + changed + renamed + unchanged, 'document');
      context.print(`The purge would read ${documents} again, delete unused vectors and rewrite the index.`);
    }
  } else {
    const seconds = (report.milliseconds / 1000).toFixed(1);
    context.print(`Files: ${files}. ${plural(report.embedded, 'passage')} embedded, in ${seconds} s.`);
  }
  if (report.purged) {
    const { documents, vectors, bytes_before, bytes_after } = report.purged;
    context.print(
      `The purge read ${plural(documents, 'document')} again, deleted ${plural(vectors, 'unused vector')} and rewrote the index: ` +
        `${formatBytes(bytes_before)} before, ${formatBytes(bytes_after)} after.`,
    );
  }
  const { embedding_error: failure } = report;
  if (failure !== undefined) context.print(failure);
  noteFiles({ ...report, warnings: report.warnings.filter(({ message }) => message !== failure) }, context);
  if (changes.length === 0) context.note(FILES_READ);
}

/** Max lines about files left out, and max lines of warnings. For the other lines, only their number is printed. */
const MAX_NAMED = 10;

/** Prints which files were left out, and then warnings: at most ten lines of each. */
export function noteFiles(
  { skipped, warnings }: Pick<Answer<'status'>, 'skipped' | 'warnings'>,
  { note }: ViewContext,
): void {
  const lacking = skipped.filter(({ reason }) => reason === 'needs_package');
  const others = skipped.filter(({ reason }) => reason !== 'needs_package');
  const left = others.map(
    ({ path, reason, detail }) => `${path}: left out, ${LEFT_OUT[reason]}${detail ? ` (${detail})` : ''}`,
  );
  for (const [format, files] of Map.groupBy(lacking, ({ path }) => formatOf(path)?.name ?? path)) {
    const named = files.length === 1 ? files[0]!.path : `${files.length} ${format} files`;
    note(`${named}: left out; to read ${format}, install ${files[0]!.detail}. docfuse formats says how.`);
  }
  const odd = warnings.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  for (const lines of [left, odd]) {
    for (const line of lines.slice(0, MAX_NAMED)) note(line);
    if (lines.length > MAX_NAMED)
      note(`… and ${plural(lines.length - MAX_NAMED, 'more file')}; --json lists all.`);
  }
}

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
