/** What the links of a vault mean, by the rules of search. */
import { createLinkGraph } from '../src/core/graph/link-graph.ts';
import type { Link, ParsedDocument } from '../src/core/model/document.ts';

/** @returns the number of the document that a link of document `number` resolves to, unless it links to itself or to nothing */
export function linkTargets(
  documents: readonly ParsedDocument[],
): (number: number, link: Link) => number | undefined {
  const graph = createLinkGraph();
  for (const [number, document] of documents.entries()) graph.put(named(number, document));
  return (number, link) => {
    // A graph with this one link in it resolves it by the rules of search.
    graph.put({ ...named(documents.length, documents[number]!), links: [link] });
    const [target] = graph.neighbours(documents.length).keys();
    graph.remove(documents.length);
    return target !== undefined && graph.neighbours(number).has(target) ? target : undefined;
  };
}

function named(number: number, { path, title, aliases, links }: ParsedDocument) {
  return { number, collection: 'vault', path, title, aliases, links };
}
