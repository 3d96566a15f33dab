/** Measures of search quality on a terminal. */
import type * as z from 'zod';
import type { evaluate } from '../../operations/evaluate.ts';
import type { Immutable } from '../../operations/operation.ts';
import { fromWire } from '../../operations/wire.ts';
import { formatEvaluation } from '../format-evaluation.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

export const evaluateView: View<Immutable<z.output<typeof evaluate.output>>> = {
  show({ sets, report_file }, { terminal, print, note }) {
    for (const set of sets) print(printable(formatEvaluation(fromWire(set), terminal.limits.stdout)));
    if (report_file !== undefined) note(`report written: ${report_file}`);
  },
};
