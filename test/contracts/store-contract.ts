/** What every Store does, whatever it keeps things in. */
// over 300 lines: the one contract of all stores
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash } from '../../src/core/chunk/chunk-head.ts';
import { unpackVector } from '../../src/core/indexes/packed-vector.ts';
import type { IndexState, Store } from '../../src/core/storage.ts';
import { sampleDocument } from '../adapters/store/sample.ts';

const MODEL = 'model-a';

type Capability = 'segments' | 'vocabulary';

/**
 * @param open makes a new, empty store
 * @param has what it can do besides. @default all there is
 */
export function storeContract(
  name: string,
  open: () => Store,
  has: readonly Capability[] = ['segments', 'vocabulary'],
): void {
  describe(`Store contract: ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    it('is empty at first', () => {
      expect([...store.documents(), ...store.slotsByDocument(), ...store.vectors(MODEL)]).toEqual([]);
      expect(store.missingVectors(MODEL, 10)).toEqual([]);
      expect(store.countMissingVectors(MODEL)).toEqual({ texts: 0, characters: 0, of: 0 });
      expect(store.counts(MODEL)).toEqual({ documents: 0, chunks: 0, embedded: 0 });
      expect(store.countLinks()).toBe(0);
    });

    it('finds no problem in what it holds', () => {
      store.putDocument(sampleDocument('a.md', ['first']));
      expect(store.problems()).toEqual([]);
    });

    it('remembers its state, the last word counts', () => {
      const state: IndexState = {
        generation: 7,
        updated: '2026-01-02T03:04:05.000Z',
        roots: ['/notes', '/ünï code'],
        skipped: [{ path: 'a.md', reason: 'too_large', detail: '11 MB' }],
        notConverted: { 'a.pdf': '9 1 1' },
        mounts: [],
        model: 'm@1',
        otherModels: [{ name: 'other', model: 'other@1' }],
        otherLanguages: [2, 5],
        languagesSource: { rules: 'r', upTo: 7 },
        plainQuestions: { model: 'other@1', mean: [0.5, -0.25] },
        modelStamps: { 'm@1': 'stamp' },
        modelAdvised: true,
        modelName: 'm',
        fingerprint: '{"reader":1}',
        staleDocuments: ['notes/a.md'],
        readingError: '',
        embeddingError: 'Error: away',
        verified: 1_767_000_000_000,
        analysis: '4 de',
        wordsSaved: '9 12',
        pruned: '9 12 model',
        vocabularySource: 'm 1-9:3',
        linkEdges: { linked: [1, 2, 0.5, 3], broken: [1, 0] },
        communities: { edges: 'hash', members: [['notes/a.md', 'notes/b.md']] },
        layout: { edges: 'hash', ids: ['notes/a.md', 'notes/b.md'], places: [1, 2.5, -3, 0] },
        linksSource: 'hash',
      };
      const keys = Object.keys(state) as (keyof IndexState)[];
      const held = () => Object.fromEntries(keys.map((key) => [key, store.getState(key)]));
      expect(Object.values(held()).every((value) => value === undefined)).toBe(true);
      expect(keys.some((key) => store.hasState(key))).toBe(false);
      store.setState({ ...state, model: 'former' });
      store.setState({ model: state.model });
      expect(held()).toEqual(state);
      expect(keys.every((key) => store.hasState(key))).toBe(true);
    });

    it('has another edition of documents after each that is put, replaced or removed, and not otherwise', () => {
      const seen = [store.documentsEdition()];
      const note = () => seen.push(store.documentsEdition());
      const { number: first } = store.putDocument(sampleDocument('a.md', ['first']));
      note();
      const { number: last } = store.putDocument(sampleDocument('b.md', ['first']));
      note();
      store.putDocument(sampleDocument('a.md', ['second']));
      note();
      store.removeDocument(last);
      note();
      store.putDocument(sampleDocument('b.md', ['first']));
      note();
      expect(new Set(seen).size).toBe(seen.length);
      const before = store.documentsEdition();
      store.removeDocument(first);
      store.touchDocument(last, { path: 'b.md', size: 1, modified: 2, altered: 3 });
      expect(store.documentsEdition()).toBe(before);
    });

    it('gives back a document with all that hangs on it', () => {
      const document = sampleDocument('Ünï code/ä b.md', ['first', 'second']);
      const { number, slots, removed } = store.putDocument(document);
      const { chunks, parents, links, vectorKeys: _, contents: __, ...record } = document;
      expect(removed).toEqual([]);
      expect([...store.documents()]).toEqual([{ ...record, number }]);
      expect(store.document(number)).toEqual({ ...record, number });
      expect(store.document(number + 1)).toBeUndefined();
      expect(store.chunksOf(number)).toEqual(
        chunks.map((c, i) => ({ ...c, slot: slots[i], document: number })),
      );
      expect(store.parents([parents[0]!.id, 'unknown'])).toEqual(parents);
      expect(store.linksOf(number)).toEqual(links);
      expect(store.headsOf(number)).toEqual([
        {
          slot: slots[0],
          id: chunks[0]!.id,
          document: number,
          languages: ['ts'],
          content: contentHash(chunks[0]!),
          parentId: parents[0]!.id,
        },
        {
          slot: slots[1],
          id: chunks[1]!.id,
          document: number,
          languages: [],
          content: contentHash(chunks[1]!),
        },
      ]);
    });

    it('gives texts without what they repeat of the chunk before, in the order asked', () => {
      const document = sampleDocument('a.md', ['first', 'second']);
      const chunks = document.chunks.map((chunk, index) => ({ ...chunk, overlap: index * 3 }));
      const { slots } = store.putDocument({ ...document, chunks });
      expect(store.texts([slots[1]!, 999, slots[0]!])).toEqual(['ond', 'first']);
    });

    it('keeps the context prefix of a chunk, and gives it to be embedded', () => {
      const document = sampleDocument('a.md', ['first', 'second']);
      const chunks = document.chunks.map((chunk, index) =>
        index === 0 ? chunk : { ...chunk, contextPrefix: '| h |' },
      );
      const { number, slots } = store.putDocument({ ...document, chunks });
      expect(store.chunksOf(number).map(({ contextPrefix }) => contextPrefix)).toEqual([undefined, '| h |']);
      expect(store.missingVectors('m', 9).map(({ text }) => text)).toContain(
        'Guide > Part\n\n| h |\n\nsecond',
      );
      expect(store.texts([slots[1]!])).toEqual(['cond']);
      expect(store.problems()).toEqual([]);
    });

    it('gives all links at once, by document and in its order', () => {
      const gone = store.putDocument(sampleDocument('a.md', []));
      const kept = store.putDocument(sampleDocument('b.md', []));
      store.removeDocument(gone.number);
      const { number } = store.putDocument(sampleDocument('a.md', []));
      const { links } = sampleDocument('a.md', []);
      expect([...store.links()]).toEqual(
        [kept.number, number].flatMap((document) => links.map((link) => ({ document, link }))),
      );
      expect([store.linksOf(number), store.linksOf(gone.number)]).toEqual([links, []]);
    });

    it('keeps every character of a text', () => {
      const text = 'a\u0000b 👩‍👩‍👧 e\u0301 é \u2028 \r\n\t \uFEFF 漢字';
      const { slots } = store.putDocument(sampleDocument('a.md', [text, '']));
      expect(store.chunks(slots).map((chunk) => chunk.text)).toEqual([text, '']);
    });

    it('gives chunks in the order asked and leaves out unknown slots', () => {
      const { slots } = store.putDocument(sampleDocument('a.md', ['x', 'y', 'z']));
      const [x, y, z] = slots as [number, number, number];
      expect(store.chunks([z, 999, x, y, x]).map((chunk) => chunk.slot)).toEqual([z, x, y, x]);
    });

    it('replaces a document of the same id under new numbers and names the slots that are gone', () => {
      const first = store.putDocument(sampleDocument('a.md', ['one', 'two']));
      const other = store.putDocument(sampleDocument('b.md', ['three']));
      const second = store.putDocument(sampleDocument('a.md', ['one'], 'new'));
      expect(second.removed).toEqual(first.slots);
      expect(second.number).not.toBe(first.number);
      expect([...first.slots, ...other.slots]).not.toContain(second.slots[0]);
      expect([...store.documents()].map((d) => [d.number, d.hash])).toEqual([
        [other.number, 'h'],
        [second.number, 'new'],
      ]);
      expect(store.chunks(first.slots)).toEqual([]);
      expect(store.chunksOf(first.number)).toEqual([]);
      expect(store.linksOf(first.number)).toEqual([]);
      expect(store.counts(MODEL)).toMatchObject({ documents: 2, chunks: 2 });
      expect(store.countLinks()).toBe(4);
    });

    it('never gives a number or slot twice, not even that of the last document removed', () => {
      const first = store.putDocument(sampleDocument('a.md', ['one']));
      expect(store.removeDocument(first.number)).toEqual(first.slots);
      const second = store.putDocument(sampleDocument('a.md', ['one']));
      expect(second.number).toBeGreaterThan(first.number);
      expect(second.slots[0]).toBeGreaterThan(first.slots[0]!);
    });

    it('removes a document with its chunks, parents and links, and nothing else', () => {
      const gone = store.putDocument(sampleDocument('a.md', ['one']));
      const kept = store.putDocument(sampleDocument('b.md', ['two']));
      store.removeDocument(gone.number);
      expect(store.removeDocument(gone.number)).toEqual([]);
      expect([...store.documents()].map((d) => d.path)).toEqual(['b.md']);
      expect([...store.slotsByDocument()]).toEqual([[kept.number, kept.slots]]);
      expect(store.parents(['pa.md', 'pb.md']).map((parent) => parent.id)).toEqual(['pb.md']);
      expect(store.linksOf(gone.number)).toEqual([]);
    });

    it('takes two chunks with the same id, for short hashes may collide', () => {
      const document = sampleDocument('a.md', ['one', 'two']);
      const chunks = document.chunks.map((chunk) => ({ ...chunk, id: 'same' }));
      const { number } = store.putDocument({ ...document, chunks });
      expect(store.chunksOf(number).map((chunk) => [chunk.id, chunk.text])).toEqual([
        ['same', 'one'],
        ['same', 'two'],
      ]);
    });

    it('tells the file of each document, and the documents with warnings', () => {
      const { number } = store.putDocument({ ...sampleDocument('a.md', ['one']), warnings: [] });
      const spoilt = { ...sampleDocument('b.md', ['two']), warnings: ['A field is no text.'] };
      const second = store.putDocument(spoilt);
      const told = () => store.files().map((file) => [file.number, file.id, file.collection, file.hash]);
      const all = () =>
        [...store.documents()].map((file) => [file.number, file.id, file.collection, file.hash]);
      expect(told()).toEqual(all());
      store.touchDocument(number, { path: 'a.md', size: 7, modified: 1.25, altered: 2.5 });
      expect(store.files()[0]).toMatchObject({ path: 'a.md', size: 7, modified: 1.25, altered: 2.5 });
      const warned = () => store.documentsWithWarnings().map(({ id, warnings }) => [id, warnings]);
      expect(warned()).toEqual([[spoilt.id, spoilt.warnings]]);
      store.removeDocument(second.number);
      expect([told(), warned()]).toEqual([all(), []]);
    });

    it('notes a new file time without touching content', () => {
      const { number, slots } = store.putDocument(sampleDocument('a.md', ['one']));
      store.touchDocument(number, { path: 'a.md', size: 7, modified: 1.25, altered: 2.5 });
      expect([...store.documents()][0]).toMatchObject({
        number,
        modified: 1.25,
        altered: 2.5,
        size: 7,
        hash: 'h',
      });
      expect(store.chunks(slots)).toHaveLength(1);
    });

    it('leaves everything as it was when a document cannot be put', () => {
      const before = store.putDocument(sampleDocument('a.md', ['one', 'two']));
      const bad = { ...sampleDocument('a.md', ['x', 'y']), vectorKeys: ['only one'] };
      expect(() => store.putDocument(bad)).toThrow();
      expect(store.chunksOf(before.number).map((chunk) => chunk.text)).toEqual(['one', 'two']);
      expect(store.countMissingVectors(MODEL).texts).toBe(2);
    });

    it('takes in several changes together, or none of them', () => {
      const { number } = store.putDocument(sampleDocument('a.md', ['one']));
      const change = () => {
        store.putDocument(sampleDocument('b.md', ['two']));
        store.removeDocument(number);
        store.setState({ generation: 3 });
      };
      const stop = () => {
        throw new Error('stopped');
      };
      const seen = () => [[...store.documents()].map(({ path }) => path), store.getState('generation')];
      expect(() => store.together(() => [change(), stop()])).toThrow('stopped');
      expect(seen()).toEqual([['a.md'], undefined]);
      expect(() => store.together(() => [change(), store.together(stop)])).toThrow('stopped');
      expect(seen()).toEqual([['a.md'], undefined]);
      store.together(change);
      expect(seen()).toEqual([['b.md'], 3]);
    });

    it('asks for each missing text once, shortest first, as it is embedded', () => {
      store.putDocument(sampleDocument('a.md', ['a long text', 'short', 'mid-size']));
      store.putDocument(sampleDocument('b.md', ['short']));
      const texts = store.missingVectors(MODEL, 10).map((missing) => missing.text);
      expect(texts).toEqual(['short', 'mid-size', 'a long text'].map((text) => `Guide > Part\n\n${text}`));
      expect(store.missingVectors(MODEL, 1).map((missing) => missing.text)).toEqual([texts[0]]);
      expect(store.missingVectors(MODEL, Number.POSITIVE_INFINITY)).toHaveLength(3);
      const characters = texts.join('').length;
      expect(store.countMissingVectors(MODEL)).toEqual({ texts: 3, characters, of: 3 });
    });

    it('keeps vectors apart by model and shares them between equal texts', () => {
      const a = store.putDocument(sampleDocument('a.md', ['same', 'other']));
      const b = store.putDocument(sampleDocument('b.md', ['same']));
      const key = store.missingVectors(MODEL, 1)[0]!.key;
      store.putVectors(MODEL, [{ key, vector: Float32Array.of(16, -40, 127) }]);
      const slots = [a.slots[0]!, b.slots[0]!];
      const vectors = Array.from(store.vectors(MODEL), ({ slot, packed }) => ({
        slot,
        vector: unpackVector(packed),
      }));
      expect(vectors).toEqual(slots.map((slot) => ({ slot, vector: Float32Array.of(16, -40, 127) })));
      expect([...store.slotsOfVectorKeys([key, 'unknown'])]).toEqual(slots);
      expect(store.vector(MODEL, b.slots[0]!)).toEqual(Float32Array.of(16, -40, 127));
      expect(store.vector(MODEL, a.slots[1]!)).toBeUndefined();
      expect(store.vector('model-b', a.slots[0]!)).toBeUndefined();
      expect(store.counts(MODEL)).toMatchObject({ chunks: 3, embedded: 2 });
      expect(store.counts('model-b').embedded).toBe(0);
      expect(store.countMissingVectors('model-b').texts).toBe(2);
    });

    it('reads all vectors of a model as it reads each, between those of others and with gaps', () => {
      const texts = Array.from({ length: 600 }, (_, n) => `text ${n}`);
      store.putDocument(sampleDocument('a.md', texts));
      const gone = store.putDocument(sampleDocument('b.md', ['first', 'last']));
      const missing = store.missingVectors(MODEL, 2000);
      for (const [n, { key }] of missing.entries())
        for (const model of n % 3 === 0 ? ['other', MODEL] : [MODEL])
          store.putVectors(model, [
            { key, vector: Float32Array.of(n / 8, 0, -n, ...(n % 7 === 0 ? [1] : [])) },
          ]);
      store.removeDocument(gone.number);
      store.putDocument(sampleDocument('a.md', []));
      store.pruneVectors([MODEL, 'other'], 500);
      store.putDocument(sampleDocument('c.md', texts));
      store.putDocument(sampleDocument('d.md', texts.toReversed().slice(0, 50)));
      for (const model of [MODEL, 'other', 'unknown']) {
        const read = Array.from(
          store.vectors(model),
          ({ slot, packed }) => [slot, unpackVector(packed)] as const,
        );
        const each = Array.from({ length: 1300 }, (_, slot) => [slot, store.vector(model, slot)] as const);
        expect(read.toSorted(([a], [b]) => a - b)).toEqual(each.filter(([, vector]) => vector));
        expect(read.length > 100).toBe(model !== 'unknown');
        expect(read.length).toBeLessThan(550);
      }
    });

    it('overwrites a vector, and reads a view into a larger buffer as the view', () => {
      const { slots } = store.putDocument(sampleDocument('a.md', ['one']));
      const key = store.missingVectors(MODEL, 1)[0]!.key;
      store.putVectors(MODEL, [{ key, vector: Float32Array.of(9, 9) }]);
      store.putVectors(MODEL, [{ key, vector: Float32Array.of(0, 1, 2, 3).subarray(1, 3) }]);
      expect(store.vector(MODEL, slots[0]!)).toEqual(Float32Array.of(1, 2));
    });

    it('keeps vectors of texts that went away until they are pruned', () => {
      const first = store.putDocument(sampleDocument('a.md', ['one', 'two']));
      const missing = store.missingVectors(MODEL, 9);
      store.putVectors(
        MODEL,
        missing.map(({ key }) => ({ key, vector: Float32Array.of(1) })),
      );
      store.removeDocument(first.number);
      expect([...store.vectors(MODEL)]).toEqual([]);
      const renamed = store.putDocument(sampleDocument('renamed.md', ['one']));
      expect(store.vector(MODEL, renamed.slots[0]!)).toEqual(Float32Array.of(1));
      expect(store.countMissingVectors(MODEL).texts).toBe(0);
      expect(store.pruneVectors([MODEL], 0)).toBe(1);
      expect(store.pruneVectors([MODEL], 0)).toBe(0);
      store.putDocument(sampleDocument('back.md', ['one', 'two']));
      expect(store.countMissingVectors(MODEL).texts).toBe(1);
    });

    it('prunes the vectors of all other models', () => {
      const { slots } = store.putDocument(sampleDocument('a.md', ['one', 'two']));
      const keys = store.missingVectors(MODEL, 9).map(({ key }) => key);
      for (const model of ['former', MODEL]) {
        store.putVectors(
          model,
          keys.map((key) => ({ key, vector: Float32Array.of(1) })),
        );
      }
      expect(store.pruneVectors([MODEL], 0)).toBe(2);
      expect(store.vector('former', slots[0]!)).toBeUndefined();
      expect(store.vector(MODEL, slots[0]!)).toEqual(Float32Array.of(1));
    });

    it('takes a vector whose text went away while it was being made', () => {
      store.putVectors(MODEL, [{ key: 'gone', vector: Float32Array.of(1) }]);
      expect([...store.vectors(MODEL)]).toEqual([]);
      expect(store.missingVectors(MODEL, 9)).toEqual([]);
      expect(store.pruneVectors([MODEL], 0)).toBe(1);
    });

    it('keeps as many vectors of passages that are gone as it is told, those that went away last', () => {
      const put = (...texts: string[]) => store.putDocument(sampleDocument('a.md', texts));
      put('one', 'two', 'three', 'four');
      const vectors = store.missingVectors(MODEL, 9).map(({ key }) => ({ key, vector: Float32Array.of(1) }));
      store.putVectors(MODEL, vectors);
      put('one', 'two', 'never embedded');
      put('one');
      expect(store.pruneVectors([MODEL], 3)).toBe(0);
      expect(store.countKeptVectors()).toBe(3);
      expect(store.pruneVectors([MODEL], 2)).toBe(1);
      expect(store.countKeptVectors()).toBe(2);
      expect(store.counts(MODEL)).toMatchObject({ chunks: 1, embedded: 1 });
      put('one', 'two', 'three', 'four');
      expect(store.missingVectors(MODEL, 9).map(({ text }) => text)).toEqual([
        expect.stringMatching(/three$/),
      ]);
    });

    it('orders passages of one document that went away together by where they first stood', () => {
      const { number } = store.putDocument(sampleDocument('a.md', ['', 'one', 'two', 'one']));
      const vectors = store.missingVectors(MODEL, 9).map(({ key }) => ({ key, vector: Float32Array.of(1) }));
      store.putVectors(MODEL, vectors);
      store.removeDocument(number);
      expect(store.pruneVectors([MODEL], 1)).toBe(2);
      store.putDocument(sampleDocument('a.md', ['one', 'two']));
      expect(store.missingVectors(MODEL, 9).map(({ text }) => text)).toEqual([expect.stringMatching(/one$/)]);
    });

    it('keeps what a checkout took away rather than what edits left before', () => {
      const put = (path: string, texts: readonly string[]) => store.putDocument(sampleDocument(path, texts));
      const embed = () =>
        store.putVectors(
          MODEL,
          store.missingVectors(MODEL, 9_999).map(({ key }) => ({ key, vector: Float32Array.of(1) })),
        );
      const numbered = (name: string, count: number) =>
        Array.from({ length: count }, (_, n) => `${name} ${n}`);
      const old = put('old.md', numbered('old', 500));
      put('edited.md', numbered('draft', 1_000));
      embed();
      put('edited.md', ['final']);
      store.removeDocument(old.number);
      embed();
      expect(store.pruneVectors([MODEL], 1_000)).toBe(500);
      expect(store.countKeptVectors()).toBe(1_000);
      put('old.md', numbered('old', 500));
      expect(store.countMissingVectors(MODEL).texts).toBe(0);
    });

    it('prunes what belongs to no passage whatever its model, if none is named', () => {
      const { number } = store.putDocument(sampleDocument('a.md', ['one', 'two']));
      for (const model of ['former', MODEL]) {
        const vectors = store
          .missingVectors(model, 9)
          .map(({ key }) => ({ key, vector: Float32Array.of(1) }));
        store.putVectors(model, vectors);
      }
      expect(store.pruneVectors(undefined, 0)).toBe(0);
      store.removeDocument(number);
      expect(store.pruneVectors(undefined, 0)).toBe(4);
    });

    it.runIf(has.includes('vocabulary'))(
      'keeps a vocabulary of one model, in ascending order (only if the store has one)',
      () => {
        const words = store.vocabulary!;
        const word = (text: string, ...vector: number[]) => ({
          word: text,
          vector: Float32Array.from(vector),
        });
        const wordsIn = () =>
          Array.from(words.read(MODEL), (each) => ({ word: each.word, vector: unpackVector(each.packed) }));
        expect([...words.read(MODEL), ...words.words(MODEL)]).toEqual([]);
        words.update(MODEL, [], [word('wing', 1, 0), word('flow', 0, 1)]);
        expect(wordsIn()).toEqual([word('flow', 0, 1), word('wing', 1, 0)]);
        words.update(MODEL, ['wing', 'unknown'], [word('flow', 0.5, 0.5), word('lift', 1, 1)]);
        expect(wordsIn()).toEqual([word('flow', 0.5, 0.5), word('lift', 1, 1)]);
        expect(words.words(MODEL)).toEqual(new Set(['flow', 'lift']));
        words.update('model-b', [], [word('other', 1)]);
        expect(words.words(MODEL)).toEqual(new Set());
        expect(words.words('model-b')).toEqual(new Set(['other']));
      },
    );

    it.runIf(has.includes('segments'))(
      'swaps segments in one step, each kind for itself (only if the store has them)',
      () => {
        const kept = store.segments!;
        expect([kept.inUse('chunks'), [...kept.read('chunks')]]).toEqual([[], []]);
        const one = kept.put('chunks', Uint8Array.of(1));
        const two = kept.put('chunks', Uint8Array.of(2));
        const code = kept.put('code', Uint8Array.of(3));
        const merged = kept.put('chunks', Uint8Array.of(1, 2));
        kept.use('chunks', [merged], [one, two, code]);
        expect([...kept.read('chunks')]).toEqual([{ id: merged, bytes: Uint8Array.of(1, 2) }]);
        expect([...kept.read('code')]).toEqual([{ id: code, bytes: Uint8Array.of(3) }]);
        expect([kept.inUse('chunks'), kept.inUse('code')]).toEqual([[merged], []]);
        expect(kept.put('chunks', Uint8Array.of(5, 6), merged)).toBe(merged);
        expect([...kept.read('chunks')]).toEqual([{ id: merged, bytes: Uint8Array.of(5, 6) }]);
        const added = kept.put('chunks', Uint8Array.of(7), code); // `code` is no segment of passages
        expect([...kept.read('code'), ...kept.read('chunks')].map(({ id }) => id)).toEqual([
          code,
          merged,
          added,
        ]);
        kept.use('chunks', [merged], [added]);
        kept.use('code', [], [merged, code]);
        expect([...kept.read('code')]).toEqual([]);
        expect([...kept.read('chunks')]).toHaveLength(1);
      },
    );

    it.runIf(has.includes('segments'))(
      'keeps and replaces pieces together with their segment (only if the store has them)',
      () => {
        const kept = store.segments!;
        const piecesOf = (id: number) => {
          const numbers = Array.from({ length: 4 }, (_, n) => kept.piece(id, n, 0, 1)?.[0]);
          return numbers.filter((number) => number !== undefined);
        };
        const three = [1, 2, 3].map((number) => Uint8Array.of(number));
        const one = kept.put('chunks', Uint8Array.of(9), undefined, three);
        const two = kept.put('chunks', Uint8Array.of(9), undefined, three.slice(1));
        expect([...kept.read('chunks')].map(({ id }) => id)).toEqual([one, two]);
        expect([piecesOf(one), piecesOf(two)]).toEqual([
          [1, 2, 3],
          [2, 3],
        ]);
        kept.put('chunks', Uint8Array.of(8), one, [Uint8Array.of(4)]);
        expect([piecesOf(one), piecesOf(two)]).toEqual([[4], [2, 3]]);
        kept.use('chunks', [one], [two]);
        expect([piecesOf(one), piecesOf(two), kept.piece(one, 1, 0, 9)]).toEqual([[4], [], undefined]);
      },
    );

    it('may be written while it is being read, and read by several at once', () => {
      for (const path of ['a.md', 'b.md', 'c.md']) store.putDocument(sampleDocument(path, [path]));
      const pairs: string[] = [];
      for (const outer of store.documents()) {
        for (const inner of store.documents()) pairs.push(`${outer.path} ${inner.path}`);
        store.setState({ updated: outer.path });
      }
      expect(pairs).toHaveLength(9);
      for (const _ of store.documents()) break;
      expect([...store.documents()]).toHaveLength(3);
    });
  });
}
