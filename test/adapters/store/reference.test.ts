/** The SQLite store and the reference store, side by side: whatever is done to both, they hold the same. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import type { Store } from '../../../src/core/storage.ts';
import { storeContract } from '../../contracts/store-contract.ts';
import { createReferenceStore } from '../../support/reference-store.ts';
import { sampleDocument } from './sample.ts';

// Words are analysed again at every opening: what is obviously right keeps nothing that is derived.
storeContract('reference', createReferenceStore, []);

const MODELS = ['model-a', 'model-b'];

/** Does something to a store; answers what the store said. */
type Step = (store: Store) => unknown;

const path = fc.constantFrom('a.md', 'b.md', 'sub/c.md');
const text = fc.constantFrom('', 'one', 'two', 'three\nlines\nlong', 'ünï 🔑');
const model = fc.oneof({ weight: 5, arbitrary: fc.constant('model-a') }, fc.constant('model-b'));
const number = fc.nat(12);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ path, texts: fc.array(text, { maxLength: 4 }) }).map(put) },
  number.map(
    (n): Step =>
      (store) =>
        store.removeDocument(n),
  ),
  fc.record({ n: number, modified: number, size: number }).map(
    ({ n, modified, size }): Step =>
      (store) =>
        store.touchDocument(n, { path: 'ignored', modified, altered: modified + 1, size }),
  ),
  { weight: 3, arbitrary: fc.record({ model, limit: fc.nat(9), seed: number }).map(embed) },
  fc.record({ model, value: number }).map(
    ({ model, value }): Step =>
      (store) =>
        store.putVectors(model, [{ key: 'of a text that is gone', vector: Float32Array.of(value) }]),
  ),
  {
    weight: 2,
    arbitrary: fc.record({ models: fc.subarray(MODELS), keep: fc.integer({ min: 1, max: 3 }) }).map(
      ({ models, keep }): Step =>
        (store) =>
          store.pruneVectors(models, keep),
    ),
  },
  fc.constant<Step>((store) => store.pruneVectors(undefined, 0)),
  fc.record({ generation: number, otherLanguages: fc.constantFrom([], [1, 2]) }).map(
    (state): Step =>
      (store) =>
        store.setState(state),
  ),
);

function put({ path, texts }: { readonly path: string; readonly texts: readonly string[] }): Step {
  return (store) => store.putDocument(sampleDocument(path, texts));
}

/** Texts of one length may be missing in any order, so the choice among them is by key. */
function embed({ model, limit, seed }: Record<'limit' | 'seed', number> & { readonly model: string }): Step {
  return (store) => {
    const missing = store.missingVectors(model, 99).map(({ key }) => key);
    const chosen = missing.toSorted().slice(0, limit);
    store.putVectors(
      model,
      chosen.map((key, i) => ({ key, vector: Float32Array.of(seed, i) })),
    );
  };
}

function contentsOf(store: Store): unknown {
  const documents = [...store.documents()];
  const heads = documents.flatMap(({ number }) => store.headsOf(number));
  const slots = [...heads.map(({ slot }) => slot).reverse(), 999];
  const texts = (model: string) => store.missingVectors(model, 99);
  return {
    documents: documents.map(({ number }) => [
      store.document(number),
      store.chunksOf(number),
      store.linksOf(number),
    ]),
    all: [
      documents,
      [...store.slotsByDocument()],
      heads,
      [...store.links()],
      store.getState('generation'),
      store.getState('otherLanguages'),
    ],
    slots: [store.chunks(slots), store.texts(slots), store.parents(['pa.md', 'psub/c.md', 'none'])],
    vectors: MODELS.map((model) => ({
      counts: { ...store.counts(model), bytes: undefined },
      missing: texts(model).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      lengths: texts(model).map(({ text }) => text.length),
      count: store.countMissingVectors(model),
      countExcept: store.countMissingVectors(model, [documents[0]?.number ?? 0]),
      missingExcept: store
        .missingVectors(model, 99, [documents[0]?.number ?? 0])
        .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      all: Array.from(store.vectors(model), ({ slot, packed }) => [slot, [...packed]] as const).sort(
        ([a], [b]) => a - b,
      ),
      one: slots.map((slot) => store.vector(model, slot)),
      slots: [...store.slotsOfVectorKeys(texts(model).map(({ key }) => key))].sort((a, b) => a - b),
    })),
    kept: store.countKeptVectors(),
    problems: store.problems(),
  };
}

it('both hold the same after any steps, and say the same at each', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
      const [embedded, reference] = [openSqliteStore(':memory:'), createReferenceStore()];
      try {
        for (const each of steps) expect(each(embedded)).toEqual(each(reference));
        expect(contentsOf(embedded)).toEqual(contentsOf(reference));
      } finally {
        embedded.close();
      }
    }),
    { numRuns: 100 },
  );
});
