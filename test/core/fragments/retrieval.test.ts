import { createFragmentRetrieval } from '../../../src/core/fragments/fragment-retrieval.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import type { Narrowing, Retrieval } from '../../../src/core/retrieval/retrieval.ts';
import { retrievalContract } from '../../contracts/retrieval-contract.ts';
import { LANES, WHOLE, withVectors } from '../../support/exported-index.ts';
import { type MemoryFile, memoryIndex } from '../../support/memory-services.ts';

/** Prepares each query by itself, as a search over an export does, and answers with the numbers of the index. */
async function exportedRetrieval(files: readonly MemoryFile[]): Promise<Retrieval> {
  const { former, formerNumbers, ...source } = await withVectors(memoryIndex(files), WHOLE);
  const fragments = createFragmentRetrieval(source);
  const prepared = new WeakMap<Narrowing['query'], Promise<Retrieval>>();
  const of = ({ query }: Pick<Narrowing, 'query'>) => {
    const found = prepared.get(query) ?? fragments.prepare(query).then(({ retrieval }) => retrieval);
    prepared.set(query, found);
    return found;
  };
  const any = await of({ query: parseQuery('') });
  /** A number that the index lacks is one that the export lacks. */
  const inExport = (own: readonly number[]) => (number: number) =>
    own.includes(number) ? own.indexOf(number) : own.length + number;
  const [slotOf, numberOf] = [inExport(former), inExport(formerNumbers)];
  const told = <Some extends { readonly slots: readonly number[]; readonly documents: readonly number[] }>(
    found: Some,
  ) => ({
    ...found,
    slots: found.slots.map((slot) => former[slot]!),
    documents: found.documents.map((number) => formerNumbers[number]!),
  });
  return {
    capabilities: any.capabilities,
    retrieve: async (request) => told(await (await of(request)).retrieve(request)),
    list: async (narrowing) => told(await (await of(narrowing)).list(narrowing)),
    bestPassages: async (request, numbers) =>
      told(await (await of(request)).bestPassages(request, numbers.map(numberOf))),
    async neighbours(request, numbers) {
      const found = await (await of(request)).neighbours!(request, numbers.map(numberOf));
      return found.map(({ links, ...rest }, place) => ({
        ...rest,
        document: numbers[place]!,
        links: new Map([...links].map(([number, weight]) => [formerNumbers[number]!, weight])),
      }));
    },
    explain: async (request, slots) => (await of(request)).explain(request, slots.map(slotOf)),
    async documents(numbers) {
      const found = await any.documents(numbers.map(numberOf));
      return found.map((each) => each && { ...each, number: formerNumbers[each.number]! });
    },
    async chunks(slots) {
      const found = await any.chunks(slots.map(slotOf));
      return found.map((each) => each && { ...each, slot: former[each.slot]! });
    },
    texts: (slots) => any.texts(slots.map(slotOf)),
    vectors: (slots) => any.vectors(slots.map(slotOf)),
    sections: any.sections,
  };
}

retrievalContract('an export', exportedRetrieval, {
  declares: { phrases: false, wordForms: false },
  can: ['semantic', 'subject', ...LANES],
  // Ids are those of the export; it has no parents, and loads dates and texts later.
  columns: ['documents', 'shown'],
  // Vectors have 8 bits; the weights of names are stored in steps.
  tolerance: { cosine: 0.02, share: 0.1 },
});
