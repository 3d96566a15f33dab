/** Says what an index holds and what state it is in. */
import type { IndexPlace } from '../core/storage.ts';
import type { Status } from './api.ts';
import { listCollections } from './documents/list-documents.ts';
import { linkFacts } from './workspace/link-facts.ts';
import { lastErrorIn } from './workspace/note-error.ts';
import type { Workspace } from './workspace/workspace.ts';

/** @param place where the index lies, which may be empty */
export function statusOf(workspace: Workspace, indexPath: string, place: IndexPlace): Status {
  const { store } = workspace;
  // Read again: another process may have finished meanwhile.
  const index = workspace.facts(true);
  const { links, bytes } = store.counts(index.model);
  const documents = [...store.documents()];
  const lastError = lastErrorIn(store);
  return {
    index,
    indexPath,
    bytes: place.edition() ? bytes : 0,
    keptVectors: store.countKeptVectors(),
    links,
    ...linkFacts(workspace.links()),
    collections: listCollections(workspace),
    skipped: store.getState('skipped') ?? [],
    warnings: documents.flatMap(({ id, warnings }) => warnings.map((message) => ({ path: id, message }))),
    ...(lastError ? { lastError } : {}),
  };
}
