/** Makes the map: linked documents with places, the links between them, and their communities, in columns of numbers. */
import { DocfuseError } from '../../core/errors.ts';
import type { Applied } from '../filters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bestLinked } from './document-facts.ts';
import type { DocumentMap, MapOptions } from './documents-api.ts';
import { passingDocuments } from './list-documents.ts';
import { createMapLayouts, type MapLayouts, type MapParts } from './map-layout.ts';

/** Default number of documents on the map. */
export const USUAL_LIMIT = 20_000;

/** Makes the function that answers with the map of an open index. It throws `internal` if the places cannot be computed. */
export function createDocumentMap(parts: MapParts) {
  const layouts = createMapLayouts(parts);
  return (workspace: Workspace, options: Applied<MapOptions>): Promise<DocumentMap> =>
    documentMap(workspace, options, layouts);
}

async function documentMap(
  workspace: Workspace,
  { filters = {}, limit = USUAL_LIMIT, wait = true, signal }: Applied<MapOptions>,
  layouts: MapLayouts,
): Promise<DocumentMap> {
  signal?.throwIfAborted();
  if (wait) await layouts.finished(workspace, signal).catch((cause) => refuse(cause, signal));
  const { places, isFinal } = layouts.now(workspace);
  const links = workspace.links();
  const { neighbours } = links.edges();
  const passing = bestLinked(passingDocuments(workspace, filters), neighbours);
  const linked = passing.filter(({ document }) => places.has(document.id));
  const shown = linked.slice(0, limit).map(({ document }) => document);
  const indexOf = new Map(shown.map(({ number }, at) => [number, at]));
  const pairs = shown.flatMap(({ number }, source) =>
    [...neighbours(number).keys()]
      .map((other) => indexOf.get(other) ?? -1)
      .filter((target) => target > source)
      .sort((a, b) => a - b)
      .map((target) => [source, target] as const),
  );
  return {
    documents: {
      ids: shown.map(({ id }) => id),
      titles: shown.map(({ title }) => title),
      neighbours: shown.map(({ number }) => neighbours(number).size),
      communities: shown.map(({ number }) => links.communityOf(number) ?? -1),
      x: shown.map(({ id }) => places.get(id)![0]),
      y: shown.map(({ id }) => places.get(id)![1]),
    },
    links: { sources: pairs.map(([source]) => source), targets: pairs.map(([, target]) => target) },
    communities: links.communities().map((members) => {
      const named = members.map((number) => workspace.catalog().document(number)!);
      const [{ document }] = bestLinked(named, neighbours) as [ReturnType<typeof bestLinked>[number]];
      return { documentId: document.id, title: document.title, documents: members.length };
    }),
    total: linked.length,
    unlinked: passing.length - linked.length,
    isFinal,
  };
}

function refuse(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted || cause instanceof DocfuseError) throw cause;
  throw new DocfuseError(
    'internal',
    `The places of the documents could not be computed: ${cause instanceof Error ? cause.message : cause}`,
    'Try again, or ask without wait to get rough places.',
    { cause },
  );
}
