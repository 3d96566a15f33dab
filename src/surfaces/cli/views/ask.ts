/** The end of a streamed answer on a terminal: the passages that it cites. */
import type { ask } from '../../operations/ask.ts';
import { citationOf, headingsOf } from '../../operations/format-passages.ts';
import { sourcesOf } from '../../operations/written-answer.ts';
import type { View } from './view.ts';

export const askView: View<typeof ask> = {
  show(output, context) {
    const { answered, answer, nearest, notice } = output;
    const { print, note, advise, locate, terminal } = context;
    // The answer itself was printed as it came, without a line feed at its end.
    if (answer !== undefined) print(answered ? '\n' : '');
    for (const citation of sourcesOf(output)) {
      const { number, collection, path } = citation;
      const place = citationOf(citation, locate(collection, path));
      print(`[${number}] ${terminal.colors.cyan(place)}  ${headingsOf(citation)}`);
    }
    if (notice) note(advise(notice));
    if (nearest)
      note(`Nearest: ${locate(nearest.collection, nearest.path)}:${nearest.line}  ${nearest.title}`);
  },
};
