/** The texts of passages and the facts about documents, loaded when they are shown. */
import type { Retrieval } from '../retrieval/retrieval.ts';
import type { LoadFragment } from './facts.ts';
import { type Places, passageId } from './light-catalog.ts';
import { loadOnce } from './load-once.ts';
import { decodeTexts, toCatalogDocument } from './text-fragment.ts';

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
