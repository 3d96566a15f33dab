/** The chunks of the index by slot, each with its document. */
import { DocfuseError } from '../errors.ts';
import { ID_DIGITS } from '../model/chunk.ts';
import { defined } from '../model/defined.ts';
import type { CatalogDocument, DocumentFields } from '../model/document.ts';
import { formatOf } from '../model/formats.ts';
import type { ChunkHead } from '../ports.ts';
import { documentTime } from '../text/dates.ts';
import { fileNameKeys } from '../text/typed-path.ts';
import { isAllowed, type SlotMask } from './retriever.ts';

type CatalogChunk = Omit<ChunkHead, 'document'>;

export type Catalog = ReturnType<typeof createCatalog>;

/** A test of a value. If the test is undefined, every value passes. */
type Test<T> = ((value: T) => boolean) | undefined;

/** Reads the chunks of a document by its number. */
type ReadChunks = (document: number) => readonly CatalogChunk[];

interface Entry {
  readonly document: CatalogDocument;
  readonly slots: readonly number[];
  readonly read: ReadChunks;
  /** Undefined until they are read. */
  chunks: KnownChunks | undefined;
}

/** The chunks of a document. As objects with strings they took six times the memory, and a server reads all of them in time. */
interface KnownChunks {
  /** For each slot of the document: id (0 if the chunk is gone), id of the parent (0 if it has none) and content. Ids: `numberOfId`. */
  readonly numbers: readonly number[];
  /** For each slot of the document; absent if no chunk has code. */
  readonly languages?: readonly (readonly string[])[];
}

export function createCatalog() {
  const entries = new Map<number, Entry>();
  /** By slot. An array is faster than a map, and a search reads some thousand slots. */
  const places: (Entry | undefined)[] = [];
  const numbers = new Map<string, number>();
  /** By key of the file name (`fileNameKeys`). Made for the first query that looks like a path, and again after a change. */
  let named: ReadonlyMap<string, readonly { readonly document: CatalogDocument }[]> | undefined;
  let live = 0;

  function put(entry: Entry): void {
    const { number, id } = entry.document;
    entries.set(number, entry);
    numbers.set(id, number);
    named = undefined;
    for (const slot of entry.slots) {
      if (places[slot] === undefined) live++;
      places[slot] = entry;
    }
  }

  function chunksOf(entry: Entry): KnownChunks {
    entry.chunks ??= knownChunks(entry.slots, entry.read(entry.document.number));
    return entry.chunks;
  }

  /** Returns one of the numbers of a chunk; 0 if the slot is not live. */
  function numberAt(slot: number, column: 0 | 1 | 2): number {
    const entry = places[slot];
    if (!entry) return 0;
    const { slots } = entry;
    // Slots of a document are usually successive.
    const likely = slot - slots[0]!;
    const place = slots[likely] === slot ? likely : slots.indexOf(slot);
    return chunksOf(entry).numbers[3 * place + column]!;
  }

  const has = (slot: number) => numberAt(slot, ID) > 0;

  function groupByName(): NonNullable<typeof named> {
    const keyed = [...entries.values()].flatMap(({ document }) =>
      fileNameKeys(document.path).map((key) => ({ key, document })),
    );
    return Map.groupBy(keyed, ({ key }) => key);
  }

  /** Whether a chunk is worth showing: it has visible text, or no chunk of its document has any. */
  function isShown(slot: number): boolean {
    if (!has(slot)) return false;
    return numberAt(slot, CONTENT) > 0 || places[slot]!.slots.every((each) => numberAt(each, CONTENT) === 0);
  }

  return {
    get documents(): number {
      return entries.size;
    },
    get chunks(): number {
      return live;
    },
    /** The largest slot so far, plus 1. */
    get slotLimit(): number {
      return places.length;
    },
    addDocument(document: CatalogDocument, chunks: readonly CatalogChunk[]): void {
      const slots = chunks.map(({ slot }) => slot);
      put({ document, slots, read: () => [], chunks: knownChunks(slots, chunks) });
    },
    /** Adds a document whose chunks are read at their first use. A chunk that is removed before that counts as not live. */
    addStored: (document: CatalogDocument, slots: readonly number[], read: ReadChunks) =>
      put({ document, slots, read, chunks: undefined }),
    /** Replaces the facts about a document; its chunks stay. */
    updateDocument(document: CatalogDocument): void {
      const { slots = [], read = () => [], chunks } = entries.get(document.number) ?? {};
      put({ document, slots, read, chunks });
    },
    removeDocument(number: number): void {
      const entry = entries.get(number);
      if (!entry) return;
      for (const slot of entry.slots) {
        if (places[slot] !== undefined) live--;
        places[slot] = undefined;
      }
      if (numbers.get(entry.document.id) === number) numbers.delete(entry.document.id);
      entries.delete(number);
      named = undefined;
    },
    document: (number: number) => entries.get(number)?.document,
    numberOf: (id: string) => numbers.get(id),
    *all(): Iterable<CatalogDocument> {
      for (const entry of entries.values()) yield entry.document;
    },
    /** Returns the documents that have this key among the `fileNameKeys` of their path. */
    named(key: string): readonly CatalogDocument[] {
      named ??= groupByName();
      return (named.get(key) ?? []).map(({ document }) => document);
    },
    /** Returns the document of a slot; undefined if the slot is not live. */
    documentOf: (slot: number) => places[slot]?.document,
    slotsOf: (number: number): readonly number[] => entries.get(number)?.slots ?? [],
    /** Returns the chunk id; empty if the slot is not live. */
    idOf: (slot: number) => idOfNumber(numberAt(slot, ID)) ?? '',
    /** Returns the content hash of a chunk; 0 if the chunk has no visible text or the slot is not live. */
    contentOf: (slot: number) => numberAt(slot, CONTENT),
    isShown,
    /** Returns the first slot of a document that `mask` allows and that is worth showing (`isShown`). */
    firstShown: (number: number, mask?: SlotMask) =>
      entries.get(number)?.slots.find((slot) => isAllowed(mask, slot) && isShown(slot)),
    /** Returns the parent id; undefined if the chunk has no parent or the slot is not live. */
    parentOf: (slot: number) => idOfNumber(numberAt(slot, PARENT)),
    /** Returns the languages of all code blocks, in lower case. */
    languages: (): ReadonlySet<string> =>
      new Set([...entries.values()].flatMap((entry) => chunksOf(entry).languages?.flat() ?? [])),
    /** Returns the slots that pass all tests; undefined if there are no tests. */
    mask(
      documentTests: readonly Test<CatalogDocument>[],
      languageTests: readonly Test<readonly string[]>[],
    ): SlotMask | undefined {
      const ofDocument = documentTests.filter((test) => test !== undefined);
      const ofLanguages = languageTests.filter((test) => test !== undefined);
      if (ofDocument.length + ofLanguages.length === 0) return undefined;
      const mask = new Uint8Array(places.length);
      for (const entry of entries.values()) {
        if (!ofDocument.every((passes) => passes(entry.document))) continue;
        if (ofLanguages.length === 0) for (const slot of entry.slots) mask[slot] = 1;
        else
          for (const [place, slot] of entry.slots.entries()) {
            const languages = chunksOf(entry).languages?.[place] ?? [];
            if (has(slot) && ofLanguages.every((passes) => passes(languages))) mask[slot] = 1;
          }
      }
      return mask;
    },
  };
}

/** Columns of `KnownChunks.numbers`. */
const [ID, PARENT, CONTENT] = [0, 1, 2] as const;

function knownChunks(slots: readonly number[], chunks: readonly CatalogChunk[]): KnownChunks {
  const bySlot = new Map(chunks.map((chunk) => [chunk.slot, chunk]));
  const known = slots.map((slot) => bySlot.get(slot));
  const numbers: number[] = new Array(3 * slots.length);
  for (const [place, chunk] of known.entries()) {
    numbers[3 * place + ID] = chunk ? numberOfId(chunk.id) : 0;
    numbers[3 * place + PARENT] = chunk?.parentId === undefined ? 0 : numberOfId(chunk.parentId);
    numbers[3 * place + CONTENT] = chunk?.content ?? 0;
  }
  if (!chunks.some(({ languages }) => languages.length > 0)) return { numbers };
  return { numbers, languages: known.map((chunk) => chunk?.languages ?? []) };
}

/** Returns a number above 0 for an id. @throws DocfuseError `usage` if the id has another form */
function numberOfId(id: string): number {
  const number = Number.parseInt(id, 16) + 1;
  if (idOfNumber(number) === id) return number;
  const remedy = `Give an id of ${ID_DIGITS} hexadecimal digits in lower case.`;
  throw new DocfuseError('usage', `The chunk has the id "${id}".`, remedy);
}

/** The low seven digits of an id, and the others, can write so many numbers. */
const LOW = 16 ** 7;
const HIGH = 16 ** (ID_DIGITS - 7);

function idOfNumber(number: number): string | undefined {
  if (!(number > 0)) return undefined;
  // In two parts, each with a digit before that keeps its zeros: V8 writes both in a fifth of the time of the whole.
  const low = (number - 1) % LOW;
  const high = (number - 1 - low) / LOW;
  return (HIGH + high).toString(16).slice(1) + (LOW + low).toString(16).slice(1);
}

/**
 * Picks the facts that the catalog keeps of each document, so that nothing else stays in memory.
 * @param facts `modified` is the file time, used if the front matter has no date
 */
export function catalogDocument(facts: CatalogDocument & Pick<DocumentFields, 'date'>): CatalogDocument {
  const { number, id, collection, path, title, aliases, tags, category, author } = facts;
  const { page_lines: pages, ...others } = facts.frontMatter;
  // In a converted document, the converter wrote `page_lines`. In a note, a field with this name belongs to the user.
  const hasPages = formatOf(path)?.converter !== undefined && isLines(pages);
  const frontMatter = hasPages ? others : facts.frontMatter;
  return {
    number,
    id,
    collection,
    path,
    title,
    tags,
    frontMatter,
    ...defined({ aliases, category, author }),
    ...(hasPages && { pages }),
    modified: documentTime(facts.date, facts.modified),
  };
}

function isLines(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((line) => Number.isInteger(line));
}
