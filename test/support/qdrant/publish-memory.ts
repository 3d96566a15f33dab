/** Publishes a collection in memory, as an index on disk is published. */
import { connectQdrant, type QdrantConnection } from '../../../src/adapters/qdrant/client.ts';
import type { PublishedDocument } from '../../../src/adapters/qdrant/document-points.ts';
import { type PublishSource, publish } from '../../../src/adapters/qdrant/publish.ts';
import { readState } from '../../../src/adapters/qdrant/read-state.ts';
import { createQdrantRetrieval } from '../../../src/adapters/qdrant/retrieval.ts';
import { chunkHead } from '../../../src/core/chunk/chunk-head.ts';
import type { SegmentedIndex } from '../../../src/core/indexes/lexical-index.ts';
import type { Retrieval } from '../../../src/core/retrieval/retrieval.ts';
import { AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';
import { type MemoryFile, memoryIndex } from '../memory-services.ts';

export function memorySource(files: readonly MemoryFile[], identity = 'one'): PublishSource {
  const { parts, parsed } = memoryIndex(files);
  const { catalog } = parts;
  return {
    ...{ identity, publisher: 'here', model: 'a model', dimensions: 16 },
    documents: [...catalog.all()],
    collections: [{ name: 'notes', language: 'auto', documents: catalog.documents }],
    embedded: catalog.chunks,
    factsOf: (number) => JSON.stringify(files[number]),
    statistics: {
      passages: parts.keyword.statistics(),
      documents: parts.documents.statistics(),
      code: (parts.code as unknown as SegmentedIndex).statistics(),
      documentsWith: parts.documents.countOf,
    },
    read(number): PublishedDocument {
      const { id, collection, path, modified, frontMatter } = catalog.document(number)!;
      const fields = parsed[number]!;
      const slots = catalog.slotsOf(number);
      const chunks = parts.readChunks(slots);
      return {
        record: {
          ...{ number, id, collection, path, modified, frontMatter, fields: withoutText(fields) },
          ...{ size: 0, altered: 0, hash: '', firstLine: fields.firstLine, warnings: [] },
        },
        chunks,
        heads: chunks.map((chunk) => chunkHead(chunk.slot, chunk)),
        parents: parts.readParents(chunks.flatMap(({ parentId }) => parentId ?? [])),
        vectors: slots.map(parts.vectorOf),
        linked: parts.links!().neighbours(number),
        links: fields.links,
        community: parts.communityOf!(number),
        analyzer: AUTO_ANALYZER,
      };
    },
  };
}

function withoutText({
  title,
  description,
  keywords,
  tags,
  aliases,
  author,
  category,
  date,
}: PublishedDocument['record']['fields']) {
  const optional = { description, author, category, date };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    title,
    keywords,
    tags,
    aliases,
    ...(Object.fromEntries(given) as Partial<typeof optional> as object),
  };
}

/** The latest publications, by their files. */
const made = new Map<readonly MemoryFile[], ReturnType<typeof open>>();
const MAX_MADE = 8;
let count = 0;

/** Publishes files once, under a name of their own, and answers from there alone. */
export function publishedRetrieval(url: string, files: readonly MemoryFile[]): Retrieval {
  const opened = made.get(files) ?? open(url, files);
  made.set(files, opened);
  opened.catch(() => {});
  const later =
    <Name extends Method>(name: Name) =>
    async (...input: Parameters<Retrieval[Name] & {}>) =>
      ((await opened).retrieval[name] as (...input: unknown[]) => unknown)(...input);
  return {
    capabilities: { exactWords: true, exactVectors: true, phrases: true, explanations: true },
    ...(Object.fromEntries(METHODS.map((name) => [name, later(name)])) as unknown as Omit<
      Retrieval,
      'capabilities'
    >),
  };
}

async function open(url: string, files: readonly MemoryFile[]) {
  const connection = await connect(url, `contract${process.pid}-${++count}`);
  const { collection } = await publish(connection, memorySource(files), { now: Date.now });
  for (const [key, former] of [...made].slice(0, -MAX_MADE)) {
    made.delete(key);
    await (await former).remove();
  }
  const retrieval = createQdrantRetrieval(connection, (await readState(connection))!);
  return { retrieval, remove: () => connection.call((client) => client.deleteCollection(collection)) };
}

const METHODS = [
  'retrieve',
  'list',
  'bestPassages',
  'neighbours',
  'explain',
  'release',
  'documents',
  'chunks',
  'texts',
  'vectors',
  'sections',
] as const;
type Method = (typeof METHODS)[number];

export function connect(url: string, name: string, apiKey?: string): Promise<QdrantConnection> {
  return connectQdrant({ url, name, apiKey, apiKeyEnv: 'QDRANT_KEY' });
}
