/** What stands below a streamed answer on a terminal: the passages it cites. */
import type * as z from 'zod';
import type { ask } from '../../operations/ask.ts';
import type { Immutable } from '../../operations/operation.ts';
import { citationOf } from '../../operations/passages-prompt.ts';
import { printable } from '../terminal.ts';
import { nearestLine } from './search.ts';
import type { View } from './view.ts';

export const askView: View<Immutable<z.output<typeof ask.output>>> = {
  show({ answered, answer, citations, nearest, notice }, context) {
    const { print, note, locate, terminal } = context;
    // The answer itself was printed as it came, without a line feed at its end.
    if (answer !== undefined) print(answered ? '\n' : '');
    const cited = citations.filter((each) => each.cited);
    // An answer without numbers may rest on any of them; one that the documents do not give rests on none.
    const shown = cited.length > 0 ? cited : answered ? citations : [];
    for (const citation of shown) {
      const { number, collection, path, title, heading_path } = citation;
      const place = citationOf(citation, locate(collection, path));
      const headings = (heading_path.length > 0 ? heading_path : [title]).join(' › ');
      print(`[${number}] ${terminal.colors.cyan(printable(place))}  ${printable(headings)}`);
    }
    if (notice) note(printable(notice));
    if (nearest) note(nearestLine(nearest, context));
  },
};
