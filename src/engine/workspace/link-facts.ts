/** What `status` says about links: those that lead nowhere, and the communities they make. */
import type { Status } from '../api.ts';
import type { LoadedLinks } from './loaded-links.ts';

const UNRESOLVED_SHOWN = 5;
const COMMUNITIES_SHOWN = 3;
const TITLES_SHOWN = 3;

export function linkFacts(links: LoadedLinks): Pick<Status, 'unresolvedLinks' | 'communities'> {
  const graph = links.graph();
  const unresolved = graph.unresolved();
  const communities = links.communities();
  /** Best linked first, then by id. */
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
