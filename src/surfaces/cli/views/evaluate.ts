/** Measures of search quality on a terminal. */
import type { evaluate } from '../../operations/evaluate.ts';
import { fromWire } from '../../operations/wire.ts';
import { formatEvaluation } from '../format-evaluation.ts';
import type { View } from './view.ts';

export const evaluateView: View<typeof evaluate> = {
  show({ notices = [], sets, report_file }, { terminal, print, note }) {
    for (const notice of notices) note(notice);
    for (const set of sets) print(formatEvaluation(fromWire(set), terminal.limits.stdout));
    if (report_file !== undefined) note(`report written: ${report_file}`);
  },
};
