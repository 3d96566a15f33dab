/** Makes the files of an export: fragments of the index, lists of documents, tags and links. */
import { type Cut, cutCollection } from '../../core/fragments/cut-collection.ts';
import {
  type DocumentLinks,
  EXPORT_FORMAT,
  type ExportStart,
  FACTS_FILE,
  fragmentFile,
  LINKED_EACH,
  LIST_STARTS_FILE,
  LISTED_EACH,
  linksFile,
  listFile,
  TAGS_FILE,
} from '../../core/fragments/export-format.ts';
import { encodeFacts } from '../../core/fragments/facts.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import { LIST_ORDERS } from '../documents/documents-api.ts';
import { listTags, sortedDocuments } from '../documents/list-documents.ts';
import { linkedDocuments } from '../documents/related-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ExportFile {
  /** Path in the folder of the data. */
  readonly path: string;
  /** Not compressed. */
  readonly bytes: Uint8Array;
}

/** Max linked documents of one document, as `related` has them. */
const LINKED_SHOWN = 100;

/** Yields the files of the data. @returns the start file without the name of the folder */
export function* exportFiles(workspace: Workspace): Generator<ExportFile, Omit<ExportStart, 'data'>> {
  const catalog = workspace.catalog();
  const cutting = cutCollection({
    ...{ catalog, analyzers: workspace.analyzers, readChunks: workspace.store.chunks },
    ...workspace.wordSegments(),
    linksOf(number) {
      const graph = workspace.links().graph();
      return { linksOut: graph.outgoing(number).length, linksIn: graph.incoming(number).length };
    },
  });
  let step = cutting.next();
  for (; !step.done; step = cutting.next()) {
    yield { path: fragmentFile(step.value.kind, step.value.number), bytes: step.value.bytes };
  }
  const cut = step.value;
  yield { path: FACTS_FILE, bytes: encodeFacts(cut.facts) };
  yield json(TAGS_FILE, listTags(workspace, {}));
  yield* listFiles(cut, catalog);
  yield* linkFiles(workspace, cut);
  const { updated } = workspace.facts();
  const extensions = cut.documents.flatMap(({ path }) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? []);
  const collections = Map.groupBy(cut.documents, ({ collection }) => collection);
  return {
    format: EXPORT_FORMAT,
    documents: cut.documents.length,
    passages: cut.facts.passages.reduce((sum, count) => sum + count, 0),
    textsEach: cut.textsEach,
    extensions: [...new Set(extensions)].sort(),
    collections: [...collections].map(([name, held]) => ({ name, documents: held.length })),
    ...(updated && { updated }),
  };
}

function* listFiles({ documents, formerNumbers }: Cut, catalog: Catalog): Generator<ExportFile> {
  const shown = new Map(formerNumbers.map((former, number) => [former, documents[number]!]));
  for (const order of LIST_ORDERS) {
    const sorted = sortedDocuments([...catalog.all()], order).map(({ number }) => shown.get(number)!);
    yield* inParts(sorted, LISTED_EACH, (number) => listFile(order, number));
  }
  const starts = documents.filter((_, number) => number % LISTED_EACH === 0);
  yield json(
    LIST_STARTS_FILE,
    starts.map(({ collection, path }) => `${collection}/${path}`),
  );
}

function linkFiles(workspace: Workspace, { formerNumbers }: Cut): Iterable<ExportFile> {
  const links = formerNumbers.map(
    (number): DocumentLinks =>
      linkedDocuments(workspace, number, 1, 'both')
        .slice(0, LINKED_SHOWN)
        .map((each) => ({ ...each, distance: 1 })),
  );
  return inParts(links, LINKED_EACH, linksFile);
}

function* inParts<T>(
  all: readonly T[],
  each: number,
  nameOf: (number: number) => string,
): Generator<ExportFile> {
  for (let number = 0; number * each < all.length; number++) {
    yield json(nameOf(number), all.slice(number * each, (number + 1) * each));
  }
}

function json(path: string, value: unknown): ExportFile {
  return { path, bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
