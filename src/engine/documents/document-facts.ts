/** Collects the facts about a document that answers show. */
import type { CatalogDocument } from '../../core/model/document.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import type { DocumentFacts, DocumentName } from './documents-api.ts';

export function documentFacts(
  workspace: Pick<ReadableWorkspace, 'catalog' | 'links'>,
  document: CatalogDocument,
): DocumentFacts {
  const graph = workspace.links().graph();
  return {
    ...documentName(document),
    tags: document.tags,
    modified: new Date(document.modified).toISOString(),
    frontMatter: document.frontMatter,
    chunks: workspace.catalog().slotsOf(document.number).length,
    linksOut: graph.count(document.number, 'out'),
    linksIn: graph.count(document.number, 'in'),
  };
}

/** Sorts documents by their number of linked documents, the highest first, then by id. `degree` is that number. */
export function bestLinked(
  documents: readonly CatalogDocument[],
  neighbours: (document: number) => { readonly size: number },
): { readonly document: CatalogDocument; readonly degree: number }[] {
  return documents
    .map((document) => ({ document, degree: neighbours(document.number).size }))
    .sort((a, b) => b.degree - a.degree || (a.document.id < b.document.id ? -1 : 1));
}

export function documentName({ id, collection, path, title }: CatalogDocument): DocumentName {
  return { documentId: id, collection, path, title };
}
