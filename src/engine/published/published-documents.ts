/** Opens the documents of a publication. Keeps their facts and links in memory, and reads passages for each answer. */
import { DOCUMENTS, PASSAGES } from '../../adapters/published/conditions.ts';
import type { EditionReader } from '../../adapters/published/engine.ts';
import type { DocumentPayload, PublishedState } from '../../adapters/published/format.ts';
import { loadedDocument } from '../../adapters/published/kept-documents.ts';
import { readChunks } from '../../adapters/published/retrieval.ts';
import { DocfuseError } from '../../core/errors.ts';
import { findEdges } from '../../core/graph/link-edges.ts';
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import { createCatalog } from '../../core/indexes/catalog.ts';
import { countAllowed, isAllowed } from '../../core/indexes/retriever.ts';
import { createTopK } from '../../core/indexes/top-k.ts';
import type { ChunkRecord } from '../../core/ports.ts';
import type { Retrieval } from '../../core/retrieval/retrieval.ts';
import type { IndexFacts } from '../api.ts';
import type { NearPassages, ReadableWorkspace } from '../workspace/workspace.ts';

const KEYS = ['digest', 'record', 'heads', 'links', 'community'] as const;
type Listed = Pick<DocumentPayload, (typeof KEYS)[number]>;

/** Max documents in one request. */
const BATCH = 1_000;

interface Generation {
  readonly reader: EditionReader;
  readonly retrieval: Retrieval;
  readonly state: PublishedState;
  readonly facts: IndexFacts;
  readonly address: string;
}

/** Makes a function that opens the documents of a publication. The next call reads only documents that have changed since. */
export function createPublishedDocuments() {
  let listed: ReadonlyMap<number, Listed> = new Map();
  let opened: { readonly reader: EditionReader; readonly workspace: Promise<ReadableWorkspace> } | undefined;

  return function documentsOf(generation: Generation): Promise<ReadableWorkspace> {
    const { reader } = generation;
    if (opened?.reader === reader) return opened.workspace;
    const forget = () => {
      if (opened?.reader === reader) opened = undefined;
    };
    const workspace = readDocuments(reader, listed).then((documents) => {
      listed = documents;
      return workspaceOver(documents, generation, forget);
    });
    opened = { reader, workspace };
    workspace.catch(forget);
    return workspace;
  };
}

/** @param known documents that were read before; those with the same digest are not read again */
async function readDocuments(
  reader: EditionReader,
  known: ReadonlyMap<number, Listed>,
): Promise<ReadonlyMap<number, Listed>> {
  const documents = new Map<number, Listed>();
  const fresh: number[] = [];
  for await (const page of reader.pages<Pick<Listed, 'digest'>>(DOCUMENTS, { keys: ['digest'] })) {
    for (const { id, payload } of page) {
      const before = known.get(id);
      if (before?.digest === payload.digest) documents.set(id, before);
      else fresh.push(id);
    }
  }
  for (let at = 0; at < fresh.length; at += BATCH) {
    const read = await reader.read<Listed>('document', fresh.slice(at, at + BATCH), { keys: KEYS });
    for (const [number, document] of read) documents.set(number, document);
  }
  // A changed document has a new number. While a publisher writes, both versions are listed: the higher number wins.
  const rising = [...documents].sort(([a], [b]) => a - b);
  return new Map(new Map(rising.map((each) => [each[1].record.id, each])).values());
}

/** @param forget called when the server no longer has a passage of these documents */
function workspaceOver(
  documents: ReadonlyMap<number, Listed>,
  { reader, retrieval, state, facts, address }: Generation,
  forget: () => void,
): ReadableWorkspace {
  const catalog = createCatalog();
  for (const document of documents.values()) catalog.addDocument(loadedDocument(document), document.heads);
  const communityOf = (number: number) => documents.get(number)?.community;
  const communities: (readonly number[])[] = [];
  for (const [place, members] of Map.groupBy(documents.keys(), communityOf))
    if (place !== undefined) communities[place] = members;
  let graph: LinkGraph | undefined;
  const linksOf = (number: number) => documents.get(number)?.links ?? [];
  const linkGraph = () =>
    (graph ??= createLinkGraph(findEdges(catalog.all(), linksOf), { ...catalog, linksOf }));

  async function chunks(slots: readonly number[]): Promise<readonly ChunkRecord[]> {
    const found = (await readChunks(reader, slots)).filter((chunk) => chunk !== undefined);
    if (found.length === slots.length) return found;
    // A publisher has removed this version of a document. The caller repeats the call once, which reads a new list of documents.
    forget();
    throw new DocfuseError('index_missing', `${address} changed while it was read.`, 'Ask again.');
  }

  const semantic: NearPassages['semantic'] = {
    async search({ vector }, k, mask) {
      const excluded = mask ? catalog.chunks - countAllowed(mask) : 0;
      const near = { by: { vector: vector! }, where: PASSAGES, limit: k + excluded };
      const top = createTopK(k, catalog.idOf);
      for (const { id, score } of (await reader.search([near])).found.flat())
        if (catalog.documentOf(id) && isAllowed(mask, id)) top.offer(id, score);
      return { entries: top.ranked() };
    },
  };

  return {
    catalog: () => catalog,
    facts: () => facts,
    // Only collections of commits: the others are folders of another machine, and no path on this machine leads into them.
    collections: state.collections.flatMap(({ name, kind }) => (kind ? [{ name, kind, root: address }] : [])),
    links: () => ({ graph: linkGraph, edges: linkGraph, communities: () => communities, communityOf }),
    store: {
      document: (number) => documents.get(number)?.record,
      chunks,
      chunksOf: (number) => chunks(catalog.slotsOf(number)),
    },
    models: { covering: { semanticIndex: async () => ({ vectorsOf: retrieval.vectors, semantic }) } },
  };
}
