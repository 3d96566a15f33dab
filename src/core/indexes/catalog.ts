/** The chunks of the index by slot, each with its document. */
import { defined } from '../model/defined.ts';
import type { CatalogDocument, DocumentFields } from '../model/document.ts';
import { formatOf } from '../model/formats.ts';
import type { ChunkHead } from '../ports.ts';
import { documentTime } from '../text/dates.ts';
import { fileNameKeys } from '../text/typed-path.ts';
import { enlarged } from './arrays.ts';
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
  /** Undefined after the chunks were read. */
  read: ReadChunks | undefined;
}

export function createCatalog() {
  const entries = new Map<number, Entry>();
  /** By slot. An array is faster than a map, and a search reads some thousand slots. */
  const places: (Entry | undefined)[] = [];
  const numbers = new Map<string, number>();
  /** By key of the file name (`fileNameKeys`). Made for the first query that looks like a path, and again after a change. */
  let named: ReadonlyMap<string, readonly { readonly document: CatalogDocument }[]> | undefined;
  let live = 0;
  /**
   * By slot, of the chunks that were read: the ids of chunk and parent as numbers (see `numberOfId`), and the content. As objects with
   * strings they took six times the memory, and a server reads them all in time.
   */
  const columns = { ids: new Float64Array(0), parents: new Float64Array(0), contents: new Float64Array(0) };
  /** By slot, of the chunks with code that were read. */
  const codeLanguages = new Map<number, readonly string[]>();

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

  function note(chunks: readonly CatalogChunk[]): void {
    for (const { slot, id, parentId, content, languages } of chunks) {
      if (slot >= columns.ids.length)
        for (const name of ['ids', 'parents', 'contents'] as const)
          columns[name] = enlarged(columns[name], Math.max(places.length, slot + 1), 1.25);
      columns.ids[slot] = numberOfId(id);
      columns.parents[slot] = parentId === undefined ? 0 : numberOfId(parentId);
      columns.contents[slot] = content;
      if (languages.length > 0) codeLanguages.set(slot, languages);
    }
  }

  /** Reads the chunks of a document at its first call. */
  function readChunks(entry: Entry): void {
    const { read } = entry;
    if (!read) return;
    note(read(entry.document.number));
    entry.read = undefined;
  }

  /** Whether a slot is live. If so, `columns` has its chunk afterwards. */
  function has(slot: number): boolean {
    const entry = places[slot];
    if (!entry) return false;
    readChunks(entry);
    return columns.ids[slot]! > 0;
  }

  function groupByName(): NonNullable<typeof named> {
    const keyed = [...entries.values()].flatMap(({ document }) =>
      fileNameKeys(document.path).map((key) => ({ key, document })),
    );
    return Map.groupBy(keyed, ({ key }) => key);
  }

  /** Whether a chunk is worth showing: it has visible text, or no chunk of its document has any. */
  function isShown(slot: number): boolean {
    if (!has(slot)) return false;
    if (columns.contents[slot] !== 0) return true;
    return places[slot]!.slots.every((each) => !columns.contents[each]);
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
    addDocument: (document: CatalogDocument, chunks: readonly CatalogChunk[]) => {
      put({ document, slots: chunks.map(({ slot }) => slot), read: undefined });
      note(chunks);
    },
    /** Adds a document whose chunks are read at their first use. A chunk that is removed before that counts as not live. */
    addStored: (document: CatalogDocument, slots: readonly number[], read: ReadChunks) =>
      put({ document, slots, read }),
    /** Replaces the facts about a document; its chunks stay. */
    updateDocument(document: CatalogDocument): void {
      const { slots = [], read } = entries.get(document.number) ?? {};
      put({ document, slots, read });
    },
    removeDocument(number: number): void {
      const entry = entries.get(number);
      if (!entry) return;
      for (const slot of entry.slots) {
        if (places[slot] !== undefined) live--;
        places[slot] = undefined;
        codeLanguages.delete(slot);
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
    idOf: (slot: number) => (has(slot) ? idOfNumber(columns.ids[slot]!) : ''),
    /** Returns the content hash of a chunk; 0 if the chunk has no visible text or the slot is not live. */
    contentOf: (slot: number) => (has(slot) ? columns.contents[slot]! : 0),
    isShown,
    /** Returns the first slot of a document that `mask` allows and that is worth showing (`isShown`). */
    firstShown: (number: number, mask?: SlotMask) =>
      entries.get(number)?.slots.find((slot) => isAllowed(mask, slot) && isShown(slot)),
    /** Returns the parent id; undefined if the chunk has no parent or the slot is not live. */
    parentOf: (slot: number) =>
      has(slot) && columns.parents[slot]! > 0 ? idOfNumber(columns.parents[slot]!) : undefined,
    /** Returns the languages of all code blocks, in lower case. */
    languages(): ReadonlySet<string> {
      for (const entry of entries.values()) readChunks(entry);
      return new Set([...codeLanguages.values()].flat());
    },
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
          for (const slot of entry.slots) {
            if (!has(slot)) continue;
            const languages = codeLanguages.get(slot) ?? [];
            if (ofLanguages.every((passes) => passes(languages))) mask[slot] = 1;
          }
      }
      return mask;
    },
  };
}

/** Digits of an id of a chunk or parent. */
const DIGITS = 13;

/** Returns an id, 13 hexadecimal digits, as a number above 0: 52 bits and one are exact. */
function numberOfId(id: string): number {
  return Number.parseInt(id, 16) + 1;
}

function idOfNumber(number: number): string {
  return (number - 1).toString(16).padStart(DIGITS, '0');
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
