/** Makes the graph of documents and the links between them, for drawing. */
import { compareText } from '../../core/text/compare-text.ts';
import type { Applied } from '../filters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bestLinked, documentName } from './document-facts.ts';
import type { DocumentGraph, GraphOptions } from './documents-api.ts';
import { passingDocuments } from './list-documents.ts';

/** Default number of documents in the graph. */
export const USUAL_LIMIT = 500;

/** Among the documents that pass the filters, returns those with the most linked documents, and the links between them. */
export function documentGraph(
  workspace: Workspace,
  { filters = {}, limit = USUAL_LIMIT, signal }: Applied<GraphOptions>,
): DocumentGraph {
  signal?.throwIfAborted();
  const links = workspace.links();
  const edges = links.edges();
  const passing = bestLinked(passingDocuments(workspace, filters), (number) => edges.neighbours(number));
  const shown = passing.slice(0, limit);
  const ids = new Map(shown.map(({ document }) => [document.number, document.id]));
  return {
    nodes: shown.map(({ document, degree }) => {
      const community = links.communityOf(document.number);
      return {
        ...documentName(document),
        neighbours: degree,
        ...(community === undefined ? {} : { community }),
      };
    }),
    edges: [...ids]
      .flatMap(([number, source]) =>
        [...edges.neighbours(number)].flatMap(([other, weight]) => {
          const target = ids.get(other);
          return target === undefined || target < source ? [] : [{ source, target, weight }];
        }),
      )
      .sort((a, b) => compareText(a.source, b.source) || compareText(a.target, b.target)),
    total: passing.length,
  };
}
