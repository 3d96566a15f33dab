/** Lists on a terminal: documents, tags, collections, one a line. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { listCollections } from '../../operations/list-collections.ts';
import type { listDocuments } from '../../operations/list-documents.ts';
import type { listTags } from '../../operations/list-tags.ts';
import { count, plural } from '../terminal.ts';
import type { View } from './view.ts';

export const listView: View<typeof listDocuments> = {
  show({ documents, total, next_cursor, notice }, { print, note, locate, terminal }) {
    for (const { collection, path, title } of documents) {
      print(`${terminal.colors.cyan(locate(collection, path))}  ${oneLine(title)}`);
    }
    if (notice) note(notice);
    note(
      next_cursor === undefined
        ? plural(total, 'document')
        : `${count(documents.length)} of ${plural(total, 'document')}; more with --cursor ${next_cursor}`,
    );
  },
};

export const tagsView: View<typeof listTags> = {
  show({ tags }, { print, note, terminal }) {
    for (const { tag, documents } of tags) {
      print(`${terminal.colors.cyan(oneLine(tag))}  ${count(documents)}`);
    }
    note(plural(tags.length, 'tag'));
  },
};

export const collectionsView: View<typeof listCollections> = {
  show({ collections }, { print, terminal }) {
    for (const { name, root, documents } of collections) {
      print(`${terminal.colors.cyan(oneLine(name))}  ${oneLine(root)}  ${plural(documents, 'document')}`);
    }
  },
};
