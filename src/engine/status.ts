/** Collects the status of an index: counts, links, communities, skipped files, warnings. */
import type { IndexPlace } from '../core/storage.ts';
import type { Status } from './api.ts';
import { listCollections } from './documents/list-documents.ts';
import type { LoadedLinks } from './workspace/loaded-links.ts';
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
  const documents = [...store.documents()];
  const lastError = lastErrorIn(store);
  return {
    index,
    indexPath,
    bytes: place.edition() ? store.bytes() : 0,
    keptVectors: store.countKeptVectors(),
    links: store.countLinks(),
    ...linkFacts(workspace.links()),
    collections: listCollections(workspace),
    skipped: store.getState('skipped') ?? [],
    warnings: documents.flatMap(({ id, warnings }) => warnings.map((message) => ({ path: id, message }))),
    ...(lastError ? { lastError } : {}),
  };
}

function linkFacts(links: LoadedLinks): Pick<Status, 'unresolvedLinks' | 'communities'> {
  const graph = links.graph();
  const unresolved = graph.unresolved();
  const communities = links.communities();
  /** Titles of the members with the most linked documents; ties are sorted by id. */
  const titles = (members: readonly number[]) =>
    members
      .map((number) => ({ ...links.nameOf(number), degree: graph.neighbours(number).size }))
      .sort((a, b) => b.degree - a.degree || (a.id < b.id ? -1 : 1))
      .slice(0, TITLES_SHOWN)
      .map(({ title }) => title);
  return {
    unresolvedLinks: {
      count: unresolved.length,
      examples: unresolved.slice(0, UNRESOLVED_SHOWN).map(({ source, link }) => ({
        path: links.nameOf(source).id,
        line: link.line,
        target: link.target,
      })),
    },
    communities: {
      count: communities.length,
      largest: communities
        .slice(0, COMMUNITIES_SHOWN)
        .map((members) => ({ documents: members.length, titles: titles(members) })),
    },
  };
}
