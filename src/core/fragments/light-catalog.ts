/** A catalog that knows only the number of passages of each document, unless all documents are loaded. */
import { runningSum } from '../indexes/arrays.ts';
import { type Catalog, createCatalog } from '../indexes/catalog.ts';
import { isAllowed } from '../indexes/retriever.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { CollectionFacts } from './facts.ts';

export interface Places {
  readonly documents: number;
  readonly slots: number;
  /** By document: its first slot. Length: number of documents + 1. */
  readonly firstSlots: Uint32Array;
  /** By slot: the number of its document. */
  readonly documentOf: Uint32Array;
}

export function countPlaces({ passages }: Pick<CollectionFacts, 'passages'>): Places {
  const firstSlots = runningSum(passages);
  const slots = firstSlots[passages.length]!;
  const documentOf = new Uint32Array(slots);
  for (let document = 0; document < passages.length; document++) {
    documentOf.fill(document, firstSlots[document], firstSlots[document + 1]);
  }
  return { documents: passages.length, slots, firstSlots, documentOf };
}

/** Returns the id of a passage. It is padded with zeros, so that passages with equal scores are ordered by slot. */
export function passageId(slot: number): string {
  return String(slot).padStart(8, '0');
}

/** @param all all documents, if a filter needs them. Without them, only the number of a document is known */
export function lightCatalog(
  places: Places,
  hidden: ReadonlySet<number>,
  all?: readonly CatalogDocument[],
): Catalog {
  const { documents, slots, firstSlots, documentOf } = places;
  const slotsOf = (number: number) => {
    const from = firstSlots[number] ?? slots;
    return Array.from({ length: (firstSlots[number + 1] ?? from) - from }, (_, index) => from + index);
  };
  const isShown = (slot: number) =>
    !hidden.has(slot) || slotsOf(documentOf[slot]!).every((each) => hidden.has(each));
  const document = (number: number): CatalogDocument =>
    all?.[number] ?? { ...UNKNOWN, number, id: String(number) };
  return {
    ...createCatalog(),
    documents,
    chunks: slots,
    document,
    slotsOf,
    isShown,
    documentOf: (slot) => (slot < slots ? document(documentOf[slot]!) : undefined),
    idOf: passageId,
    // An export has no content hashes. Each passage gets a different number, so that no two passages count as duplicates.
    contentOf: (slot) => slot + 1,
    firstShown: (number, mask) => slotsOf(number).find((slot) => isAllowed(mask, slot) && isShown(slot)),
    all: () => all ?? [],
    mask(documentTests, languageTests) {
      const ofDocument = documentTests.filter((test) => test !== undefined);
      const ofLanguages = languageTests.filter((test) => test !== undefined);
      if (ofDocument.length + ofLanguages.length === 0) return undefined;
      const passing = ofLanguages.every((passes) => passes([]))
        ? (all ?? []).filter((each) => ofDocument.every((passes) => passes(each)))
        : [];
      const mask = new Uint8Array(slots);
      for (const { number } of passing) mask.fill(1, firstSlots[number], firstSlots[number + 1]);
      return mask;
    },
  };
}

const UNKNOWN: Omit<CatalogDocument, 'number' | 'id'> = {
  collection: '',
  path: '',
  title: '',
  tags: [],
  modified: 0,
  frontMatter: {},
};
