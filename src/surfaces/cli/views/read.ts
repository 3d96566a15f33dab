/** The text of a document as it is, so that it can be piped on. */
import { manyLines } from '../../../core/text/one-line.ts';
import type { readDocument } from '../../operations/read-document.ts';
import type { View } from './view.ts';

export const readView: View<typeof readDocument> = {
  show({ text, front_matter, end_line, last_line, truncated }, { write, note }) {
    write(manyLines(text));
    const { commit, author, date } = front_matter;
    // A commit has these fields; git shows them above its message.
    if (commit && author && date) note(`commit ${commit} by ${author}, ${date}`);
    if (truncated) note(`Cut after line ${end_line} of ${last_line}.`);
  },
};
