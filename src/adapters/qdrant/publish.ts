/** Publishes an index to Qdrant: sends what has changed, and switches an alias when a new collection is complete. */
import { createHash } from 'node:crypto';
import { DocfuseError } from '../../core/errors.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { type Filter, type QdrantConnection, statusOf } from './client.ts';
import {
  documentPoints,
  type Point,
  type PointStatistics,
  type PublishedDocument,
} from './document-points.ts';
import { holdLease } from './lease.ts';
import { readState, requireReadable } from './read-state.ts';
import {
  DENSE,
  documentId,
  documentOfId,
  PAYLOAD_INDEXES,
  type PublishedState,
  SCHEMA,
  SPARSE,
  STATE_ID,
} from './schema.ts';

/** An index that is to be published. */
export interface PublishSource
  extends Pick<
    PublishedState,
    'identity' | 'publisher' | 'updated' | 'model' | 'dimensions' | 'collections'
  > {
  readonly documents: readonly Pick<CatalogDocument, 'number' | 'path'>[];
  readonly statistics: PointStatistics;
  /** Passages with a vector. */
  readonly embedded: number;
  /** Returns a text that changes when points of a document must be sent again. */
  factsOf(number: number): string;
  /** Undefined if the document was removed meanwhile. */
  read(number: number): PublishedDocument | undefined;
}

export interface PublishSettings {
  /** @default those of the server */
  readonly shards?: number | undefined;
  readonly replicas?: number | undefined;
  readonly writeConsistency?: number | undefined;
}

export interface PublishOptions extends PublishSettings {
  readonly now: () => number;
  /** Whether to replace what another index has published. @default false */
  readonly replace?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface PublishReport {
  readonly collection: string;
  /** Documents that were sent and that were removed. */
  readonly sent: number;
  readonly removed: number;
}

/** Points in a request: a passage takes about 10 KB. */
const BATCH = 200;
const PAGE = 5_000;

/**
 * May be stopped at any time: the next publication sends only what is missing.
 * @throws DocfuseError `remote`, `index_newer`, `index_busy` if another process publishes, `usage` if the alias shows another index
 */
export async function publish(
  connection: QdrantConnection,
  source: PublishSource,
  options: PublishOptions,
): Promise<PublishReport> {
  const { now, replace = false, signal, onProgress } = options;
  const { name } = connection.place;
  const { identity, model, dimensions, publisher, embedded } = source;
  const shown = await readState(connection, signal);
  if (shown) requireReadable(shown, connection.place);
  if (shown && !replace && shown.publisher !== publisher) throw foreign(name, shown);
  const collection = `${name}.${shortHash([SCHEMA, identity, model, dimensions])}`;
  await makeCollection(connection, collection, source, options);
  const lease = await holdLease(connection, collection, {
    owner: `${publisher} ${process.pid}`,
    now,
    signal,
  });
  try {
    const known = await readDigests(connection, collection, signal);
    const sent = await send(connection, collection, source, known, {
      ...{ signal, onProgress, renew: lease.renew },
    });
    const present = new Set(source.documents.map(({ number }) => number));
    const gone = [...known.keys()].filter((number) => !present.has(number));
    await remove(connection, collection, gone, signal);
    const { passages, documents, code } = source.statistics;
    const state: PublishedState = {
      ...{
        schema: SCHEMA,
        collection,
        identity,
        publisher,
        model,
        dimensions,
        embedded,
        passages,
        documents,
        code,
      },
      generation: (shown?.generation ?? 0) + 1,
      published: new Date(now()).toISOString(),
      ...(source.updated !== undefined && { updated: source.updated }),
      extensions: [...new Set(source.documents.map(({ path }) => extensionOf(path)))],
      collections: source.collections,
    };
    await connection.call(
      (client) =>
        client.upsert(collection, { points: [{ id: STATE_ID, vector: {}, payload: { ...state } }] }),
      signal,
    );
    await switchAlias(connection, collection, signal);
    return { collection, sent, removed: gone.length };
  } finally {
    await lease.release();
  }
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

function shortHash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

function foreign(name: string, { publisher, published }: PublishedState): DocfuseError {
  return new DocfuseError(
    'usage',
    `${name} in Qdrant shows another index: ${publisher} published it at ${published}.`,
    'Choose another qdrant.name, or replace it: docfuse index --rebuild.',
  );
}

async function makeCollection(
  { call }: QdrantConnection,
  collection: string,
  { dimensions }: PublishSource,
  { shards, replicas, writeConsistency, signal }: PublishOptions,
): Promise<void> {
  const { exists } = await call((client) => client.collectionExists(collection), signal);
  if (!exists) {
    const made = {
      vectors: dimensions > 0 ? { [DENSE]: { size: dimensions, distance: 'Dot' as const } } : {},
      sparse_vectors: Object.fromEntries(SPARSE.map((lane) => [lane, {}])),
      ...(shards !== undefined && { shard_number: shards }),
      ...(replicas !== undefined && { replication_factor: replicas }),
      ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
    };
    await call(async (client) => {
      // Another process may have made it meanwhile, or an attempt whose answer was lost.
      await client.createCollection(collection, made).catch((error: unknown) => {
        if (statusOf(error) !== 409) throw error;
      });
    }, signal);
  }
  // Made again without harm if the process that made the collection was stopped before.
  for (const [field_name, field_schema] of PAYLOAD_INDEXES)
    await call(
      (client) => client.createPayloadIndex(collection, { field_name, field_schema, wait: true }),
      signal,
    );
}

/** Returns the digests of all documents that were sent, by number. */
async function readDigests(
  { call }: QdrantConnection,
  collection: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, string>> {
  const known = new Map<number, string>();
  const filter: Filter = { must: [{ key: 'kind', match: { value: 'document' } }] };
  for (let offset: number | undefined | null = undefined; offset !== null; ) {
    const asked = { filter, limit: PAGE, with_payload: ['digest'], ...(offset !== undefined && { offset }) };
    const page = await call((client) => client.scroll(collection, asked), signal);
    for (const { id, payload } of page.points) known.set(documentOfId(Number(id)), String(payload?.digest));
    offset = (page.next_page_offset ?? null) as number | null;
  }
  return known;
}

interface Sending extends Pick<PublishOptions, 'signal' | 'onProgress'> {
  readonly renew: () => Promise<void>;
}

/** @returns the number of documents that were sent */
async function send(
  { call }: QdrantConnection,
  collection: string,
  source: PublishSource,
  known: ReadonlyMap<number, string>,
  { signal, onProgress, renew }: Sending,
) {
  const words = new Set<unknown>();
  let sent = 0;
  let batch: Point[] = [];
  const flush = async (least: number) => {
    while (batch.length >= least) {
      const points = batch.slice(0, BATCH);
      batch = batch.slice(BATCH);
      await call((client) => client.upsert(collection, { points, wait: true }), signal);
    }
    await renew();
  };
  for (const [done, { number }] of source.documents.entries()) {
    onProgress?.(done, source.documents.length);
    const digest = shortHash([source.factsOf(number)]);
    if (known.get(number) === digest) continue;
    const document = source.read(number);
    if (!document) continue;
    const points = documentPoints(document, digest, source.statistics);
    const fresh = points.words.filter(({ id }) => !words.has(id));
    for (const { id } of fresh) words.add(id);
    // The document comes last: with its digest, all of it has arrived.
    batch.push(...fresh, ...points.passages, points.document);
    sent++;
    await flush(known.has(number) ? 1 : BATCH);
    if (known.has(number)) {
      const slots = document.chunks.map(({ slot }) => slot);
      const filter: Filter = {
        must: [{ key: 'document', match: { value: number } }],
        must_not: [{ has_id: slots }],
      };
      await call((client) => client.delete(collection, { filter, wait: true }), signal);
    }
  }
  await flush(1);
  return sent;
}

async function remove(
  { call }: QdrantConnection,
  collection: string,
  numbers: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let at = 0; at < numbers.length; at += BATCH) {
    const gone = numbers.slice(at, at + BATCH);
    const filter: Filter = { must: [{ key: 'document', match: { any: gone } }] };
    await call((client) => client.delete(collection, { filter, wait: true }), signal);
    await call((client) => client.delete(collection, { points: gone.map(documentId), wait: true }), signal);
  }
}

/** Makes the alias show a collection, and deletes the one that it showed before. */
async function switchAlias(
  { call, place: { name } }: QdrantConnection,
  collection: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { aliases } = await call((client) => client.getAliases(), signal);
  const former = aliases.find(({ alias_name }) => alias_name === name)?.collection_name;
  if (former === collection) return;
  const actions = [
    ...(former === undefined ? [] : [{ delete_alias: { alias_name: name } }]),
    { create_alias: { alias_name: name, collection_name: collection } },
  ];
  await call((client) => client.updateCollectionAliases({ actions }), signal);
  if (former?.startsWith(`${name}.`)) await call((client) => client.deleteCollection(former), signal);
}
