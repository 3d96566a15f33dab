/** Publishes an index: sends what has changed to an engine, and shows a new edition when it is complete. */
import { randomUUID } from 'node:crypto';
import { DocfuseError } from '../../core/errors.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { extensionOf } from '../../core/model/formats.ts';
import { lazyConstant } from '../../core/text/lazy-constant.ts';
import {
  type DocumentParts,
  documentParts,
  type PartStatistics,
  type PublishedDocument,
} from './document-parts.ts';
import type { EditionWriter, PublishedEngine } from './engine.ts';
import { OLDEST_READABLE, type PublishedState, SCHEMA, shortDigest } from './format.ts';
import { holdLease } from './lease.ts';

export interface PublishSource
  extends Pick<
    PublishedState,
    'identity' | 'publisher' | 'updated' | 'model' | 'dimensions' | 'embedded' | 'collections'
  > {
  readonly documents: readonly Pick<CatalogDocument, 'number' | 'path'>[];
  readonly statistics: PartStatistics;
  /** Returns the list of words, packed. */
  readonly words: () => Uint8Array;
  /** Returns a text that changes whenever the document must be sent again. */
  factsOf(number: number): string;
  /** Undefined if the document was removed meanwhile. */
  read(number: number): PublishedDocument | undefined;
}

export interface PublishOptions {
  readonly now: () => number;
  /** Whether to replace what another index has published. @default false */
  readonly replace?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Tells this process from others: on machines of one name, such as containers, two may have one number. */
const thisProcess = lazyConstant(() => `${process.pid} ${randomUUID().slice(0, 8)}`);
/** Number of passages after which a batch is sent. A passage takes about 10 KB. */
const BATCH = 200;

/**
 * Can be stopped at any time: the next publication sends only what is missing.
 * @returns the edition, and the numbers of documents that were sent and removed
 * @throws DocfuseError `remote`, `index_newer`, `index_busy` if another process publishes, `usage` if another index has the name
 */
export async function publish(engine: PublishedEngine, source: PublishSource, options: PublishOptions) {
  const { now, signal } = options;
  const { identity, model, dimensions, publisher, embedded, updated, collections } = source;
  const edition = `${engine.name}.${shortDigest(JSON.stringify([SCHEMA, identity, model, dimensions]))}`;
  const owner = `${publisher} ${thisProcess()}`;
  // Read before taking the lease, too, so that nothing is written where a newer docfuse or another machine has published.
  await readShown(engine, publisher, options);
  const lease = await holdLease(engine, { owner, now, signal });
  try {
    const shown = await readShown(engine, publisher, options);
    const writer = await engine.writer(edition, dimensions, signal);
    const known = await writer.digests();
    const sent = await send(writer, source, known, options, lease.renew);
    const present = new Set(source.documents.map(({ number }) => number));
    const gone = [...known.keys()].filter((number) => !present.has(number));
    if (gone.length > 0) await writer.remove(gone);
    const { passages, documents, code } = source.statistics;
    const former = shown?.edition === edition ? shown : undefined;
    const facts = { identity, publisher, model, dimensions, embedded, collections };
    const state = {
      schema: SCHEMA,
      edition,
      ...facts,
      passages,
      documents,
      code,
      words: await saveWords(writer, source, former),
      generation: (shown?.generation ?? 0) + 1,
      published: new Date(now()).toISOString(),
      ...(updated !== undefined && { updated }),
      extensions: [...new Set(source.documents.map(({ path }) => extensionOf(path)))],
    };
    await writer.show(state, owner);
    return { edition, sent, removed: gone.length };
  } finally {
    await lease.release();
  }
}

/** Reads what is shown now. @throws DocfuseError `index_newer`; `usage` if another index is shown and must not be replaced */
async function readShown(
  engine: PublishedEngine,
  publisher: string,
  { replace = false, signal }: PublishOptions,
): Promise<PublishedState | undefined> {
  const shown = await engine.state(signal);
  if (shown) requireKnown(shown, engine);
  if (!shown || replace || shown.publisher === publisher) return shown;
  throw new DocfuseError(
    'usage',
    `${engine.title} shows another index: ${shown.publisher} published it at ${shown.published}.`,
    `Choose another ${engine.nameSetting}, or replace the published index with docfuse index --rebuild.`,
  );
}

/** For searches. @throws DocfuseError `index_newer`; `index_missing` if the publication is too old */
export function requireReadable(
  state: Pick<PublishedState, 'schema'>,
  engine: Pick<PublishedEngine, 'title'>,
): void {
  requireKnown(state, engine);
  if (state.schema >= OLDEST_READABLE) return;
  throw new DocfuseError(
    'index_missing',
    `${engine.title} was published by an older docfuse (schema ${state.schema}, readable from ${OLDEST_READABLE}).`,
    'Publish it again with this version: run docfuse index where the documents are.',
  );
}

/** A publisher replaces what is older. @throws DocfuseError `index_newer` */
function requireKnown(
  { schema }: Pick<PublishedState, 'schema'>,
  { title }: Pick<PublishedEngine, 'title'>,
): void {
  if (schema <= SCHEMA) return;
  throw new DocfuseError(
    'index_newer',
    `${title} was published by a newer docfuse (schema ${schema}, here ${SCHEMA}).`,
    'Update docfuse on this machine.',
  );
}

/** Saves the list of words in the place that is free: searches still read the former list in the other place. */
async function saveWords(
  { saveWords }: EditionWriter,
  source: PublishSource,
  former: PublishedState | undefined,
): Promise<PublishedState['words']> {
  const bytes = source.words();
  const digest = shortDigest(bytes);
  if (former?.words.digest === digest) return former.words;
  const place = former?.words.place === 0 ? 1 : 0;
  await saveWords(place, bytes);
  return { place, digest };
}

/** @returns the number of documents that were sent */
async function send(
  writer: EditionWriter,
  source: PublishSource,
  known: ReadonlyMap<number, string>,
  { signal, onProgress }: PublishOptions,
  renew: () => Promise<void>,
): Promise<number> {
  let sent = 0;
  let batch: DocumentParts[] = [];
  const flush = async (least: number) => {
    if (batch.reduce((sum, { passages }) => sum + passages.length, 0) < least) return;
    signal?.throwIfAborted();
    if (batch.length > 0) await writer.write(batch, known);
    batch = [];
    await renew();
  };
  for (const [done, { number }] of source.documents.entries()) {
    onProgress?.(done, source.documents.length);
    const digest = shortDigest(source.factsOf(number));
    if (known.get(number) === digest) continue;
    const document = source.read(number);
    if (!document) continue;
    batch.push(documentParts(document, digest, source.statistics));
    sent++;
    await flush(BATCH);
  }
  await flush(0);
  return sent;
}
