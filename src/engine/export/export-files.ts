/** Makes the files of an export: fragments of the index, lists of documents, tags and links. */
import { DocfuseError } from '../../core/errors.ts';
import { type Cut, cutCollection } from '../../core/fragments/cut-collection.ts';
import {
  type DocumentLinks,
  type DocumentNeighbours,
  EXPORT_FORMAT,
  type ExportStart,
  FACTS_FILE,
  fragmentFile,
  LINKED_EACH,
  LIST_STARTS_FILE,
  LISTED_EACH,
  linksFile,
  listFile,
  MAP_FILE,
  NEIGHBOURS_FILE,
  TAGS_FILE,
} from '../../core/fragments/export-format.ts';
import type { CutProgress } from '../../core/fragments/facts.ts';
import { encodeVectors, vectorsEach } from '../../core/fragments/vectors-fragment.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import { extensionOf } from '../../core/model/formats.ts';
import { type DocumentMap, LIST_ORDERS, type LinkedDocument } from '../documents/documents-api.ts';
import { listTags, sortedDocuments } from '../documents/list-documents.ts';
import { LINKED_SHOWN, linkedDocuments } from '../documents/related-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ExportFile {
  /** Path relative to the data folder of the export. */
  readonly path: string;
  /** The content, not compressed. */
  readonly bytes: Uint8Array;
  readonly progress?: CutProgress | undefined;
}

/** Facts about the exported data, for the start file and the report. */
export interface ExportedData extends Omit<ExportStart, 'data' | 'meaning'> {
  /** Length of the vectors; 0 without them. */
  readonly dimensions: number;
}

/** @param model identity of the model whose vectors are exported */
export function* exportFiles(
  workspace: Workspace,
  map: DocumentMap,
  model?: string,
): Generator<ExportFile, ExportedData> {
  const catalog = workspace.catalog();
  const cutting = cutCollection({
    catalog,
    analyzers: workspace.analyzers,
    lexicon: workspace.lexicon,
    readChunks: workspace.store.chunks,
    ...workspace.wordSegments(),
    linksOf(number) {
      const graph = workspace.links().graph();
      return { linksOut: graph.count(number, 'out'), linksIn: graph.count(number, 'in') };
    },
  });
  let step = cutting.next();
  for (; !step.done; step = cutting.next()) {
    const { kind, number, bytes, progress } = step.value;
    yield { path: fragmentFile(kind, number), bytes, progress };
  }
  const cut = step.value;
  yield json(FACTS_FILE, cut.facts);
  yield json(TAGS_FILE, listTags(workspace, {}));
  if (map.total > 0) yield json(MAP_FILE, map);
  yield* listFiles(cut, catalog);
  yield* linkFiles(workspace, cut);
  const dimensions = model === undefined ? 0 : yield* vectorFiles(workspace, cut, model);
  const { updated } = workspace.facts();
  const extensions = cut.documents.map(({ path }) => extensionOf(path)).filter(Boolean);
  const collections = Map.groupBy(cut.documents, ({ collection }) => collection);
  return {
    format: EXPORT_FORMAT,
    documents: cut.documents.length,
    passages: cut.facts.passages.reduce((sum, count) => sum + count, 0),
    textsEach: cut.textsEach,
    dimensions,
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
  const firsts = documents.filter((_, number) => number % LISTED_EACH === 0);
  const starts = firsts.map(({ collection, path }) => `${collection}/${path}`);
  yield json(LIST_STARTS_FILE, starts);
}

function linkFiles(workspace: Workspace, { formerNumbers }: Cut): Iterable<ExportFile> {
  const links = formerNumbers.map((number): DocumentLinks<LinkedDocument> => {
    const linked = linkedDocuments(workspace, number, 1, 'both');
    return { count: linked.length, linked: linked.slice(0, LINKED_SHOWN) };
  });
  return inParts(links, LINKED_EACH, linksFile);
}

/** @returns the length of the vectors */
function* vectorFiles(
  workspace: Workspace,
  { formerNumbers, documents }: Cut,
  model: string,
): Generator<ExportFile, number> {
  const numbers = new Map(formerNumbers.map((former, number) => [former, number]));
  const edges = workspace.links().edges();
  const neighbours = formerNumbers.map((former, number): DocumentNeighbours => {
    const { collection, path } = documents[number]!;
    const links = [...edges.neighbours(former)].flatMap(([other, weight]) => {
      const known = numbers.get(other);
      return known === undefined ? [] : [[known, weight] as const];
    });
    return { id: `${collection}/${path}`, links };
  });
  yield json(NEIGHBOURS_FILE, neighbours);
  const slots = formerNumbers.flatMap(workspace.catalog().slotsOf);
  const vectorAt = (slot: number) => {
    const vector = workspace.store.vector(model, slot);
    if (vector) return vector;
    throw new DocfuseError(
      'usage',
      'Some passages have no vector of the model in the settings.',
      'Run docfuse index to make the vectors, then export again.',
    );
  };
  const dimensions = slots.length === 0 ? 0 : vectorAt(slots[0]!).length;
  const each = vectorsEach(dimensions);
  for (let number = 0; number * each < slots.length; number++) {
    const vectors = slots.slice(number * each, (number + 1) * each).map(vectorAt);
    yield { path: fragmentFile('vectors', number), bytes: encodeVectors(vectors, dimensions) };
  }
  return dimensions;
}

function* inParts<T>(all: readonly T[], each: number, nameOf: (number: number) => string) {
  for (let number = 0; number * each < all.length; number++) {
    yield json(nameOf(number), all.slice(number * each, (number + 1) * each));
  }
}

function json(path: string, value: unknown): ExportFile {
  return { path, bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
