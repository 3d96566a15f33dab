/** Collects the status of an index: counts, links, communities, skipped files, warnings. */
import type { IndexPlace } from '../core/storage.ts';
import type { Status } from './api.ts';
import { bestLinked } from './documents/document-facts.ts';
import { listCollections } from './documents/list-documents.ts';
import { lastErrorIn } from './workspace/note-error.ts';
import type { Workspace } from './workspace/workspace.ts';

const UNRESOLVED_SHOWN = 5;
const COMMUNITIES_SHOWN = 3;
const TITLES_SHOWN = 3;

/** @param place folder of the index, which may not exist */
export function statusOf(workspace: Workspace, indexPath: string, place: IndexPlace): Status {
  const { store } = workspace;
  // Read the facts again: another process may have finished meanwhile.
  const index = workspace.facts(true);
  const lastError = lastErrorIn(store);
  return {
    index,
    indexPath,
    bytes: place.edition() ? store.bytes() : 0,
    keptVectors: store.countKeptVectors(),
    links: store.countLinks(),
    ...linkFacts(workspace),
    collections: listCollections(workspace),
    skipped: store.getState('skipped') ?? [],
    warnings: store
      .documentsWithWarnings()
      .flatMap(({ id, warnings }) => warnings.map((message) => ({ path: id, message }))),
    ...(lastError ? { lastError } : {}),
  };
}

function linkFacts({ links, catalog }: Workspace): Pick<Status, 'unresolvedLinks' | 'communities'> {
  const graph = links().graph();
  const communities = links().communities();
  const documentOf = (number: number) => catalog().document(number)!;
  return {
    unresolvedLinks: {
      count: graph.countBroken(),
      examples: [...graph.broken().take(UNRESOLVED_SHOWN)].map(({ source, link: { line, target } }) => ({
        path: documentOf(source).id,
        line,
        target,
      })),
    },
    communities: {
      count: communities.length,
      largest: communities.slice(0, COMMUNITIES_SHOWN).map((members) => ({
        documents: members.length,
        titles: bestLinked(members.map(documentOf), graph.neighbours)
          .slice(0, TITLES_SHOWN)
          .map(({ document }) => document.title),
      })),
    },
  };
}
