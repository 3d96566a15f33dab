/** Checks on a terminal: a mark, what was found, and below it what to do. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { doctor } from '../../operations/doctor.ts';
import type { View } from './view.ts';

const MARKS = { ok: 'ok', warning: 'warning', failure: 'failure' } as const;
/** The column of the detail, right of mark and name. */
const DETAIL_COLUMN = 22;
const COLORS = { ok: 'green', warning: 'yellow', failure: 'red' } as const;

export const doctorView: View<typeof doctor> = {
  show({ checks }, { print, terminal, advise }) {
    for (const { name, state, detail, remedy } of checks) {
      const mark = terminal.colors[COLORS[state]](MARKS[state].padEnd(7));
      print(`${mark}  ${name.padEnd(11)}  ${oneLine(detail)}`, DETAIL_COLUMN);
      if (remedy) print(`${' '.repeat(DETAIL_COLUMN)}${oneLine(advise(remedy))}`, DETAIL_COLUMN);
    }
  },
};
