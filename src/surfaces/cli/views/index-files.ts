/** What an indexing run did, on a terminal. */
import { FILES_READ } from '../../../engine/search/notice.ts';
import type { indexFiles } from '../../operations/index-files.ts';
import { count, formatBytes, plural } from '../terminal.ts';
import { noteFiles } from './files.ts';
import type { View } from './view.ts';

export const indexFilesView: View<typeof indexFiles> = {
  show(report, context) {
    const changes = (['added', 'changed', 'renamed', 'removed', 'unchanged'] as const)
      .filter((kind) => report[kind] > 0)
      .map((kind) => `${count(report[kind])} ${kind}`);
    const files = changes.length > 0 ? changes.join(', ') : 'no files';
    if (report.dry_run) {
      context.print(`Would be: ${files}. Nothing was changed.`);
      if (context.options.purge) {
        const { added, changed, renamed, unchanged } = report;
        const documents = plural(added + changed + renamed + unchanged, 'document');
        context.print(
          `Would be purged: words of ${documents} read again, kept vectors dropped, the index written afresh.`,
        );
      }
    } else {
      const seconds = (report.milliseconds / 1000).toFixed(1);
      context.print(`Files: ${files}. ${plural(report.embedded, 'passage')} embedded, in ${seconds} s.`);
    }
    if (report.purged) {
      const { documents, vectors, bytes_before, bytes_after } = report.purged;
      context.print(
        `Purged: words of ${plural(documents, 'document')} read again, ${plural(vectors, 'kept vector')} dropped, ` +
          `${formatBytes(bytes_before)} written afresh as ${formatBytes(bytes_after)}.`,
      );
    }
    const { embedding_error: failure } = report;
    if (failure !== undefined) context.print(failure);
    noteFiles({ ...report, warnings: report.warnings.filter(({ message }) => message !== failure) }, context);
    if (changes.length === 0) context.note(FILES_READ);
  },
};
