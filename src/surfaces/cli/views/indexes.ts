/** Indexes on a terminal. */
import { existsSync } from 'node:fs';
import { oneLine } from '../../../core/text/one-line.ts';
import type { listIndexes, removeIndex } from '../../operations/indexes.ts';
import { formatBytes, plural } from '../terminal.ts';
import type { View } from './view.ts';

/** One index a line: name, size, day of its last use, and what it was made of. */
export const listIndexesView: View<typeof listIndexes> = {
  show({ folder, indexes }, { print, note }) {
    const widest = Math.max(0, ...indexes.map(({ name }) => name.length));
    for (const { name, bytes, used, roots } of indexes) {
      const made =
        roots.map((root) => (existsSync(root) ? root : `${root} (gone)`)).join(', ') || 'nothing yet';
      print(
        oneLine(`${name.padEnd(widest)}  ${formatBytes(bytes).padStart(8)}  ${used.slice(0, 10)}  ${made}`),
      );
    }
    const bytes = indexes.reduce((sum, each) => sum + each.bytes, 0);
    note(`${plural(indexes.length, 'index', 'indexes')}, ${formatBytes(bytes)}, in ${folder}`);
  },
};

export const removeIndexView: View<typeof removeIndex> = {
  show({ index: { name, bytes, folder } }, { note }) {
    const kept = existsSync(folder) ? ` Files in ${folder} that are not part of the index stay.` : '';
    note(`${name} deleted, ${formatBytes(bytes)} freed.${kept}`);
  },
};
