/** What was judged, and where it is kept, on a terminal. */
import type { judge } from '../../operations/judge.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

export const judgeView: View<typeof judge> = {
  show({ id, judgements, queries, set_folder, notice }, { options, print, note }) {
    // Who was asked for grades has read it.
    if (notice !== undefined && options.grades !== undefined) note(printable(notice));
    for (const { path, grade } of judgements) print(printable(`${grade}  ${path}`));
    if (id === undefined) note('Nothing was judged.');
    else {
      const held = queries === 1 ? '1 query' : `${queries} queries`;
      note(`Kept as ${id} in ${set_folder}, which holds ${held} now.`);
    }
  },
};
