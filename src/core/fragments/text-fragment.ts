/** Fragments with the texts of consecutive passages, and the facts about their documents. They are loaded when they are shown. */
import type { Chunk } from '../model/chunk.ts';
import { defined } from '../model/defined.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import { type LoadFragment, loadOnce } from './facts.ts';
import { type Places, passageId } from './light-catalog.ts';

export type ShownPassage = Pick<
  Chunk,
  'headingPath' | 'text' | 'overlap' | 'start' | 'end' | 'startLine' | 'endLine' | 'codeBlocks'
> & {
  /** Number of the document in the export. */
  readonly document: number;
};

export type ShownDocument = Pick<
  CatalogDocument,
  'number' | 'collection' | 'path' | 'title' | 'aliases' | 'tags' | 'category' | 'author' | 'modified'
> &
  LinkCounts & {
    readonly chunks: number;
  };

export interface LinkCounts {
  /** Numbers of links to other documents, and from other documents. */
  readonly linksOut: number;
  readonly linksIn: number;
}

export interface TextFragment {
  readonly documents: readonly ShownDocument[];
  readonly passages: readonly ShownPassage[];
}

export function encodeTexts(fragment: TextFragment): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(fragment));
}

export function decodeTexts(bytes: Uint8Array): TextFragment {
  return JSON.parse(new TextDecoder().decode(bytes)) as TextFragment;
}

export function toCatalogDocument(document: ShownDocument): CatalogDocument {
  const { collection, path, author, category } = document;
  return { ...document, id: `${collection}/${path}`, frontMatter: defined({ author, category }) };
}

/** @param textsEach number of passages in a fragment */
export function createTextStore(
  { firstSlots, slots: count, documents }: Places,
  textsEach: number,
  load: LoadFragment,
): Pick<Retrieval, 'chunks' | 'texts' | 'documents'> {
  const fragments = new Map<number, ReturnType<typeof loadTexts>>();
  const fragmentAt = loadOnce(loadTexts, fragments);
  const textsAt = (slot: number) => fragmentAt(Math.floor(slot / textsEach));

  async function loadTexts(number: number) {
    const { documents, passages } = decodeTexts(await load('texts', number));
    return { documents: new Map(documents.map((each) => [each.number, toCatalogDocument(each)])), passages };
  }

  /** Reads the facts about a document from a fragment with one of its passages: from a loaded fragment if possible. */
  async function documentAt(number: number) {
    if (number >= documents) return undefined;
    const [first, next] = [firstSlots[number]!, firstSlots[number + 1]!];
    let slot = first;
    while (slot < next && !fragments.has(Math.floor(slot / textsEach))) slot++;
    return (await textsAt(slot < next ? slot : first)).documents.get(number);
  }

  const chunks: Retrieval['chunks'] = (slots) =>
    Promise.all(
      slots.map(async (slot) => {
        if (slot >= count) return undefined;
        const passage = (await textsAt(slot)).passages[slot % textsEach];
        return passage && { ...passage, slot, id: passageId(slot) };
      }),
    );
  return {
    chunks,
    texts: async (slots) => (await chunks(slots)).map((chunk) => chunk?.text.slice(chunk.overlap) ?? ''),
    documents: (numbers) => Promise.all(numbers.map(documentAt)),
  };
}
