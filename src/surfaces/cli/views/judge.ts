/** What was judged, and where it is kept, on a terminal. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { judge } from '../../operations/judge.ts';
import type { View } from './view.ts';

export const judgeView: View<typeof judge> = {
  show({ id, judgements, queries, set_folder, notice }, { options, print, note }) {
    // Who was asked for grades has read it.
    if (notice !== undefined && options.grades !== undefined) note(notice);
    for (const { path, grade } of judgements) print(oneLine(`${grade}  ${path}`));
    if (id === undefined) note('Nothing was judged.');
    else {
      const held = queries === 1 ? '1 query' : `${queries} queries`;
      note(`Kept as ${id} in ${set_folder}, which holds ${held} now.`);
    }
  },
};
