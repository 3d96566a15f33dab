/** Checks on a terminal: a mark, what was found, and below it what to do. */
import type { z } from 'zod';
import type { doctor } from '../../operations/doctor.ts';
import type { Immutable } from '../../operations/operation.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

const MARKS = { ok: 'ok', warning: 'warning', failure: 'failure' } as const;
const COLORS = { ok: 'green', warning: 'yellow', failure: 'red' } as const;

export const doctorView: View<Immutable<z.output<typeof doctor.output>>> = {
  show({ checks }, { print, terminal }) {
    for (const { name, state, detail, remedy } of checks) {
      const mark = terminal.colors[COLORS[state]](MARKS[state].padEnd(7));
      print(`${mark}  ${name.padEnd(11)}  ${printable(detail)}`);
      if (remedy) print(`${' '.repeat(22)}${printable(remedy)}`);
    }
  },
};
