/** The text of a document as it is, so that it can be piped on. */
import type { readDocument } from '../../operations/read-document.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

export const readView: View<typeof readDocument> = {
  show({ text, front_matter, end_line, last_line, truncated }, { write, note }) {
    write(printable(text));
    const { commit, author, date } = front_matter;
    // Of a commit, what git shows above its message.
    if (commit && author && date) note(printable(`commit ${commit} by ${author}, ${date}`));
    if (truncated) note(`Cut after line ${end_line} of ${last_line}.`);
  },
};
