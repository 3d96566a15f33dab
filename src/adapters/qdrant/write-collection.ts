/** Makes and fills a collection, then points the alias of the index to it. */
import type { DocumentParts, PassagePart } from '../published/document-parts.ts';
import type { EditionWriter, PublishedEngine } from '../published/engine.ts';
import type { Weights, WordLane } from '../published/format.ts';
import { requireOwner } from '../published/lease.ts';
import { readLease } from './claim-name.ts';
import type { QdrantConnection, Schemas } from './client.ts';
import {
  type CollectionSettings,
  DENSE,
  documentId,
  makeCollection,
  numberOf,
  PAYLOAD_INDEXES,
  pieceId,
  SPARSE,
  STATE_ID,
  toSparse,
  WORDS_OF,
} from './layout.ts';

type Point = Schemas['PointStruct'];

/** Max points per request; a passage takes about 10 KB. */
const BATCH = 200;
const PAGE = 5_000;
/** Max bytes of a piece of the list of words. Each piece is a point. */
const PIECE = 1 << 20;

/** Makes the collection if it is missing. @param dimensions length of the vectors; 0 without vectors */
export async function writeCollection(
  connection: QdrantConnection,
  collection: string,
  dimensions: number,
  settings: CollectionSettings,
  about: Pick<PublishedEngine, 'title' | 'nameSetting'>,
  signal?: AbortSignal,
): Promise<EditionWriter> {
  const { call, place } = connection;
  const vectors = {
    vectors: dimensions > 0 ? { [DENSE]: { size: dimensions, distance: 'Dot' as const } } : {},
    sparse_vectors: Object.fromEntries(SPARSE.map((lane) => [lane, {}])),
  };
  await makeCollection(connection, collection, vectors, settings, signal);
  // Runs even if the collection exists: the process that made it may have stopped here. Repeating it does no harm.
  for (const [field_name, field_schema] of PAYLOAD_INDEXES)
    await call(
      (client) => client.createPayloadIndex(collection, { field_name, field_schema, wait: true }),
      signal,
    );

  async function upsert(points: readonly Point[]): Promise<void> {
    for (let at = 0; at < points.length; at += BATCH) {
      const sent = { points: points.slice(at, at + BATCH), wait: true };
      await call((client) => client.upsert(collection, sent), signal);
    }
  }

  return {
    async digests() {
      const known = new Map<number, string>();
      const filter = { must: [{ key: 'kind', match: { value: 'document' } }] };
      for (let offset: number | undefined | null = undefined; offset !== null; ) {
        const asked = {
          filter,
          limit: PAGE,
          with_payload: ['digest'],
          ...(offset !== undefined && { offset }),
        };
        const page = await call((client) => client.scroll(collection, asked), signal);
        for (const { id, payload } of page.points) known.set(numberOf(Number(id)), String(payload?.digest));
        offset = (page.next_page_offset ?? null) as number | null;
      }
      return known;
    },
    async write(documents, known) {
      // Sends a document after its passages: if its digest is stored, all of its passages are stored, too.
      await upsert(documents.flatMap((each) => [...each.passages.map(passagePoint), documentPoint(each)]));
      for (const { number, passages } of documents) {
        if (!known.has(number)) continue;
        const filter = {
          must: [{ key: 'document', match: { value: number } }],
          must_not: [{ has_id: passages.map(({ slot }) => slot) }],
        };
        await call((client) => client.delete(collection, { filter, wait: true }), signal);
      }
    },
    async remove(numbers) {
      for (let at = 0; at < numbers.length; at += BATCH) {
        const gone = numbers.slice(at, at + BATCH);
        const filter = { must: [{ key: 'document', match: { any: gone } }] };
        const points = gone.map(documentId);
        await call((client) => client.delete(collection, { filter, wait: true }), signal);
        await call((client) => client.delete(collection, { points, wait: true }), signal);
      }
    },
    async saveWords(listed, bytes) {
      const of = Math.ceil(bytes.byteLength / PIECE);
      for (let piece = 0; piece < of; piece++) {
        const part = Buffer.from(bytes.subarray(piece * PIECE, (piece + 1) * PIECE)).toString('base64');
        const payload = { kind: 'list', bytes: part, of };
        await upsert([{ id: pieceId(listed, piece), vector: {}, payload }]);
      }
    },
    async show(state, owner) {
      requireOwner(await readLease(connection, signal), owner, about);
      await upsert([{ id: STATE_ID, vector: {}, payload: { ...state } }]);
      const { aliases } = await call((client) => client.getAliases(), signal);
      const { name } = place;
      const former = aliases.find(({ alias_name }) => alias_name === name)?.collection_name;
      const actions = [
        ...(former === undefined ? [] : [{ delete_alias: { alias_name: name } }]),
        { create_alias: { alias_name: name, collection_name: collection } },
      ];
      if (former !== collection) await call((client) => client.updateCollectionAliases({ actions }), signal);
      const others = aliases.flatMap((each) => (each.alias_name === name ? [] : [each.collection_name]));
      await tidy(new Set([collection, ...others]));
    },
  };

  /** Deletes the editions of this name that no alias shows: former ones, and those of rebuilds that were given up. */
  async function tidy(shown: ReadonlySet<string>): Promise<void> {
    const { collections } = await call((client) => client.getCollections(), signal);
    const prefix = `${place.name}.`;
    for (const { name } of collections) {
      const isEdition = name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length));
      if (isEdition && !shown.has(name)) await call((client) => client.deleteCollection(name), signal);
    }
  }
}

function passagePoint({ slot, payload, weights, vector }: PassagePart): Point {
  return {
    id: slot,
    payload: { kind: 'passage', ...payload, ...listed(weights) },
    vector: { ...(vector && { [DENSE]: [...vector] }), ...toSparse(weights) },
  };
}

function documentPoint({ number, payload, weights }: DocumentParts): Point {
  const all = { kind: 'document', ...payload, ...listed(weights) };
  return { id: documentId(number), payload: all, vector: toSparse(weights) };
}

/** Returns the words of each lane as payload, for conditions. */
function listed(weights: Weights): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    Object.entries(weights).map(([lane, words]) => [WORDS_OF[lane as WordLane], [...words.keys()]]),
  );
}
