/** Indexes that are cut into fragments and read back, for tests. */
import fc from 'fast-check';
import { cutCollection } from '../../src/core/fragments/cut-collection.ts';
import type { CutSizes } from '../../src/core/fragments/cut-postings.ts';
import type { CollectionFacts } from '../../src/core/fragments/facts.ts';
import { loadMeaning } from '../../src/core/fragments/fragment-meaning.ts';
import { createFragmentRetrieval } from '../../src/core/fragments/fragment-retrieval.ts';
import { toCatalogDocument } from '../../src/core/fragments/text-fragment.ts';
import { encodeVectors, vectorsEach } from '../../src/core/fragments/vectors-fragment.ts';
import type { Filters } from '../../src/core/model/query.ts';
import type { Lane } from '../../src/core/model/ranking-constants.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import type { RetrievalRequest } from '../../src/core/retrieval/retrieval.ts';
import { chooseAnalyzers } from '../../src/core/text/analyzer.ts';
import type { MemoryFile, MemoryIndex } from './memory-services.ts';

const WORDS = ['alpha', 'alphabet', 'beta', 'gamma', 'delta', 'deltas', 'epsilon', 'parseXmlFile'];
export const LEXICON = ['beat', 'better', 'game'];
export const LANES: readonly Lane[] = ['keyword', 'coverage', 'document', 'title', 'name', 'heading'];
/** Nearly every word is cut into blocks, and every fragment holds a few words. */
export const TINY: CutSizes = { words: 60, block: 40, best: 20 };
/** No word is cut, so that all its postings are loaded. */
export const WHOLE: CutSizes = { words: 60, block: 1_000_000, best: 1_000_000 };

export const word = fc.constantFrom(...WORDS);
export const words = (most = 8) =>
  fc.array(word, { minLength: 1, maxLength: most }).map((list) => list.join(' '));
const file = fc.record({
  name: words(2),
  title: words(3),
  tags: fc.subarray(['alpha', 'b/c']),
  sections: fc.array(fc.record({ title: words(3), text: words(12) }), { maxLength: 3 }),
});
export const files = fc.array(file, { minLength: 1, maxLength: 25 }).map((list) =>
  list.map(({ name, title, tags, sections }, number): MemoryFile => {
    const parts = sections.map((each) => `## ${each.title}\n\n${each.text} ${'and so on '.repeat(20)}\n`);
    return {
      path: `${number}/${name.replaceAll(' ', '-')}.md`,
      text: `---\ntags: [${tags.join(', ')}]\n---\n# ${title}\n\n${parts.join('\n')}`,
    };
  }),
);
/** Cuts an index, and reads it back. */
export function exported({ parts }: MemoryIndex, sizes: CutSizes, certain: number) {
  const { catalog, keyword, documents, readChunks } = parts;
  const held = new Map<string, Uint8Array<ArrayBuffer>>();
  const loaded: string[] = [];
  const cutting = cutCollection(
    {
      ...{ catalog, readChunks, analyzers: chooseAnalyzers(), lexicon: { words: () => LEXICON } },
      passageWords: keyword.segments(),
      documentWords: documents.segments(),
      linksOf: () => ({ linksOut: 0, linksIn: 0 }),
    },
    sizes,
  );
  let step = cutting.next();
  for (; !step.done; step = cutting.next())
    held.set(`${step.value.kind} ${step.value.number}`, step.value.bytes);
  const cut = step.value;
  const source = {
    facts: JSON.parse(JSON.stringify(cut.facts)) as CollectionFacts,
    textsEach: cut.textsEach,
    extensions: new Set(['md']),
    loadDocuments: async () => cut.documents.map(toCatalogDocument),
    async load(kind: string, number: number) {
      loaded.push(`${kind} ${number}`);
      return held.get(`${kind} ${number}`)!;
    },
  };
  /** By slot of the export: the slot in the index. */
  const former = cut.formerNumbers.flatMap((number) => catalog.slotsOf(number));
  const { formerNumbers } = cut;
  return { retrieval: createFragmentRetrieval(source, certain), source, former, formerNumbers, loaded, held };
}

/** The same with vectors and links. The vectors are those of `memoryIndex`. */
export async function withVectors(index: MemoryIndex, sizes: CutSizes) {
  const { source, former, formerNumbers } = exported(index, sizes, 10);
  const { vectorOf, links, catalog } = index.parts;
  const vectors = former.map((slot) => vectorOf(slot)!);
  const dimensions = vectors[0]?.length ?? 1;
  const each = vectorsEach(dimensions);
  const load = async (number: number) =>
    encodeVectors(vectors.slice(number * each, (number + 1) * each), dimensions);
  const documents = await source.loadDocuments();
  const numbers = new Map(documents.map(({ id, number }) => [id, number]));
  const neighbours = documents.map(({ id }) => {
    const others = [...links!().neighbours(catalog.numberOf(id)!)];
    return {
      id,
      links: others.map(([other, weight]) => [numbers.get(catalog.document(other)!.id)!, weight] as const),
    };
  });
  const meaning = await loadMeaning(source.facts, dimensions, load, neighbours);
  return { ...source, former, formerNumbers, meaning };
}

export function requestOf(text: string, more: Filters = {}): RetrievalRequest {
  return { query: parseQuery(text), filters: more, lanes: LANES, depth: 1_000 };
}
