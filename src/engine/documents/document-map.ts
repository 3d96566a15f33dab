/** The map: documents and links as columns. Places are computed after links have changed, and are saved with the index. */
import { once } from 'node:events';
import { DocfuseError } from '../../core/errors.ts';
import { firstPlaces, type Place } from '../../core/graph/first-places.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import type { SavedLayout } from '../../core/model/saved-state.ts';
import type { GraphLayout, PlacedGraph } from '../../core/ports.ts';
import type { Applied } from '../filters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { bestLinked } from './document-facts.ts';
import type { DocumentMap, MapOptions } from './documents-api.ts';
import { passingDocuments } from './list-documents.ts';

export interface MapParts {
  readonly layout: GraphLayout;
  /** Returns the workspace if it is open. */
  readonly opened: () => MapSource | undefined;
  /** Waits for write access. With `alone`, waits until no other call has access. @returns a function that ends the access */
  readonly enter: (alone: boolean, signal: AbortSignal) => Promise<() => void>;
  /** Remembers work that must end before the index is closed. */
  readonly track: (work: Promise<void>) => void;
  /** Aborted when the index is closed. */
  readonly closing: AbortSignal;
}

type MapSource = Pick<Workspace, 'store' | 'catalog' | 'links'>;

/** Weight of a link between two communities. It is low, so that communities stay apart on the map. */
const BETWEEN_COMMUNITIES = 0.2;
/** If at least this share of the documents has a former place, the layout starts from the former places. */
const MIN_KNOWN = 0.8;
/** Min and max number of steps of the layout. A small graph needs more steps, and each step takes less time. */
const [MIN_STEPS, MAX_STEPS] = [100, 400];
const STEPS_TIMES_NODES = 1_000_000;
/** If the layout starts from former places, this share of the steps is enough. */
const STEPS_AGAIN = 0.2;

export const USUAL_LIMIT = 20_000;

/** Makes the function that answers with the map of an open index. It throws `internal` if the places cannot be computed. */
export function createDocumentMap({ layout, opened, enter, track, closing }: MapParts) {
  let latest: SavedLayout | undefined;
  let computing: { readonly edges: string; readonly done: Promise<void> } | undefined;

  function known({ store }: MapSource, edges: string): SavedLayout | undefined {
    return latest?.edges === edges ? latest : (store.getState('layout') ?? latest);
  }

  /** Starts computing places, unless they are being computed already. Returns undefined if there is nothing to compute. */
  function start(source: MapSource): Promise<void> | undefined {
    const edges = edgesOf(source);
    const former = known(source, edges);
    const groups = linkedDocuments(source);
    if (former?.edges === edges || groups.length === 0) return undefined;
    if (computing?.edges !== edges) {
      const done = compute(source, groups, former, edges);
      computing = { edges, done };
      // A failure rejects the promise for which callers wait. The next call tries again.
      done.catch(() => (computing = undefined));
    }
    return computing?.done;
  }

  async function compute(
    source: MapSource,
    groups: Groups,
    former: SavedLayout | undefined,
    edges: string,
  ): Promise<void> {
    const ids = groups.flat().sort();
    const { places, isKept } = startPlaces(source, groups, former);
    const graph = graphOf(source, ids, places);
    const steps = Math.min(MAX_STEPS, Math.max(MIN_STEPS, STEPS_TIMES_NODES / ids.length));
    const moved = await layout.place(graph, Math.round(steps * (isKept ? STEPS_AGAIN : 1)), closing);
    latest = { edges, ids, places: ids.flatMap((_, at) => [rounded(moved.x[at]!), rounded(moved.y[at]!)]) };
    // If saving fails, for example because another process is writing, the places stay in memory only.
    track(save(latest).catch(() => {}));
  }

  /** Saves places, unless links have changed meanwhile. */
  async function save(computed: SavedLayout): Promise<void> {
    if (opened()?.store.readOnly) return;
    const leave = await enter(false, closing);
    try {
      const store = opened()?.store;
      if (store?.getState('communities')?.edges === computed.edges) store.setState({ layout: computed });
    } finally {
      leave();
    }
  }

  /** Waits until the places of the current links are computed. @throws the reason of `signal`, or the error of the computation */
  async function finished(source: MapSource, signal?: AbortSignal): Promise<void> {
    const computation = start(source);
    if (!computation) return;
    await Promise.race([computation, ...(signal ? [once(signal, 'abort')] : [])]);
    signal?.throwIfAborted(); // `once` resolves when it is aborted
  }

  return async (
    workspace: Workspace,
    { filters = {}, limit = USUAL_LIMIT, wait = true, signal }: Applied<MapOptions>,
  ): Promise<DocumentMap> => {
    signal?.throwIfAborted();
    if (wait) await finished(workspace, signal).catch((cause) => refuse(cause, signal));
    // If links have changed meanwhile, or without waiting, the places come from former links, or from `firstPlaces`.
    const isFinal = start(workspace) === undefined;
    const former = known(workspace, edgesOf(workspace));
    const { places } = startPlaces(workspace, linkedDocuments(workspace), former);
    return { ...drawMap(workspace, passingDocuments(workspace, filters), places, limit), isFinal };
  };
}

/** Identifies the links of which communities were found last. */
function edgesOf({ store }: MapSource): string {
  return store.getState('communities')?.edges ?? '';
}

/** Ids of the linked documents by community, the largest community first. A document without community is a group of its own. */
type Groups = readonly (readonly string[])[];

function linkedDocuments({ catalog, links }: MapSource): Groups {
  const { communities, communityOf, edges } = links();
  const alone = [...catalog().all()]
    .filter(({ number }) => communityOf(number) === undefined && edges().neighbours(number).size > 0)
    .map(({ id }) => [id])
    .sort();
  return [
    ...communities().map((members) => members.map((number) => catalog().document(number)!.id)),
    ...alone,
  ];
}

/**
 * If a share of at least `MIN_KNOWN` of the documents has a former place, returns the former places. A new document starts between
 * the documents that it is linked with. Otherwise returns the places of `firstPlaces`.
 */
function startPlaces({ catalog, links }: MapSource, groups: Groups, former: SavedLayout | undefined) {
  const places = new Map(firstPlaces(groups));
  const { ids = [], places: flat = [] } = former ?? {};
  const before = new Map(ids.map((id, at): [string, Place] => [id, [flat[at * 2]!, flat[at * 2 + 1]!]]));
  const kept = [...places.keys()].filter((id) => before.has(id));
  if (kept.length === 0 || kept.length < places.size * MIN_KNOWN) return { places, isKept: false };
  const nearLinked = (id: string): Place | undefined => {
    const linked = [...links().edges().neighbours(catalog().numberOf(id)!).keys()];
    const near = linked
      .map((number) => before.get(catalog().document(number)!.id))
      .filter((place) => place !== undefined);
    return near.length > 0 ? between(near, places.size) : undefined;
  };
  for (const [id, first] of places) places.set(id, before.get(id) ?? nearLinked(id) ?? first);
  return { places, isKept: true };
}

/** Returns the middle of some places, moved a little: two nodes in the same place would stay together. */
function between(places: readonly Place[], away: number): Place {
  const mean = (axis: 0 | 1) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  return [mean(0) + Math.cos(away), mean(1) + Math.sin(away)];
}

function graphOf(
  { catalog, links }: MapSource,
  ids: readonly string[],
  places: ReadonlyMap<string, Place>,
): PlacedGraph {
  const { edges, communityOf } = links();
  const numbers = ids.map((id) => catalog().numberOf(id)!);
  const nodeOf = new Map(numbers.map((number, node) => [number, node]));
  const joined = numbers.flatMap((number, node) =>
    [...edges().neighbours(number)].flatMap(([other, weight]) => {
      const target = nodeOf.get(other);
      if (target === undefined || target <= node) return [];
      const isInside = communityOf(number) === communityOf(other);
      return [{ source: node, target, weight: weight * (isInside ? 1 : BETWEEN_COMMUNITIES) }];
    }),
  );
  joined.sort((a, b) => a.source - b.source || a.target - b.target);
  return {
    x: Float32Array.from(ids, (id) => places.get(id)![0]),
    y: Float32Array.from(ids, (id) => places.get(id)![1]),
    sources: Uint32Array.from(joined, ({ source }) => source),
    targets: Uint32Array.from(joined, ({ target }) => target),
    weights: Float32Array.from(joined, ({ weight }) => weight),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function drawMap(
  workspace: Workspace,
  passing: readonly CatalogDocument[],
  places: ReadonlyMap<string, Place>,
  limit: number,
): Omit<DocumentMap, 'isFinal'> {
  const links = workspace.links();
  const { neighbours } = links.edges();
  const linked = bestLinked(passing, neighbours).filter(({ document }) => places.has(document.id));
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
  };
}

function refuse(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted || cause instanceof DocfuseError) throw cause;
  throw new DocfuseError(
    'internal',
    `The places of the documents could not be computed: ${cause instanceof Error ? cause.message : cause}`,
    'Try again, or set wait to false to get approximate places.',
    { cause },
  );
}
