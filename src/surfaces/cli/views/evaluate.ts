/** Measures of search quality on a terminal. */
import type { evaluate } from '../../operations/evaluate.ts';
import { fromWire } from '../../operations/wire.ts';
import { formatEvaluation } from '../format-evaluation.ts';
import { count, plural, printable } from '../terminal.ts';
import type { View } from './view.ts';

export const evaluateView: View<typeof evaluate> = {
  show({ collected = [], sets, report_file }, { terminal, print, note }) {
    for (const { set_folder, judgements, unjudged } of collected) {
      const done = judgements > 0 ? `${plural(judgements, 'grade')} kept` : 'Nothing was judged';
      const left = `best documents still without a grade: ${count(unjudged)}`;
      note(printable(`${done} in ${set_folder}; ${left}.`));
    }
    for (const set of sets) print(printable(formatEvaluation(fromWire(set), terminal.limits.stdout)));
    if (report_file !== undefined) note(`report written: ${report_file}`);
  },
};
