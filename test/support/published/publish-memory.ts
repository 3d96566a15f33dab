/** Publishes a collection in memory, as an index on disk is published, and answers from there. */
import type { PublishedDocument } from '../../../src/adapters/published/document-parts.ts';
import type { PublishedEngine } from '../../../src/adapters/published/engine.ts';
import { type PublishSource, publish } from '../../../src/adapters/published/publish.ts';
import { createPublishedRetrieval } from '../../../src/adapters/published/retrieval.ts';
import { packWordList, readWordList } from '../../../src/adapters/published/word-list.ts';
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
    words: () => packWordList(parts.keyword, parts.documents),
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

/** Answers from what is published now. */
export async function openRetrieval(engine: PublishedEngine): Promise<Retrieval> {
  const state = (await engine.state())!;
  const reader = engine.reader(state);
  return createPublishedRetrieval(reader, state, readWordList((await reader.words(state.words.place))!));
}

/** Publishes files once, each under a name of its own, and answers from there alone. */
export function publishing(open: (name: string) => Promise<PublishedEngine>) {
  /** The latest publications, by their files. */
  const made = new Map<readonly MemoryFile[], Promise<Retrieval>>();
  const engines = new Map<string, Promise<PublishedEngine>>();
  let count = 0;

  async function make(files: readonly MemoryFile[]): Promise<Retrieval> {
    // A name is used again: the new edition replaces the former one.
    const name = `contract${process.pid}-${count++ % MAX_MADE}`;
    const opened = engines.get(name) ?? open(name);
    engines.set(name, opened);
    const engine = await opened;
    await publish(engine, memorySource(files, `files ${count}`), { now: Date.now });
    for (const key of [...made.keys()].slice(0, -MAX_MADE)) made.delete(key);
    return openRetrieval(engine);
  }

  return (files: readonly MemoryFile[]): Promise<Retrieval> => {
    const opened = made.get(files) ?? make(files);
    made.set(files, opened);
    return opened;
  };
}

const MAX_MADE = 8;
