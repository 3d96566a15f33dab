import { describe, expect, it } from 'vitest';
import { createMemoryIndex } from '../../src/core/memory-index.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../../src/core/model/search-settings.ts';
import { toSearchSettings } from '../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../src/engine/config/settings.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const TEXTS = [
  { path: 'a.md', text: '# Anchors\n\nDrop the anchor slowly.\n' },
  { path: 'b.md', text: '# Boats\n\nA boat floats.\n', collection: 'other' },
];

it('the defaults are those of the configuration', () => {
  const {
    rerankModel: _,
    rerankApiKeyEnv: __,
    ...configured
  } = toSearchSettings(settingsSchema.parse({})) as unknown as Record<string, unknown>;
  expect(DEFAULT_SEARCH_SETTINGS).toEqual(configured);
});

describe('an index in memory', () => {
  it('refuses to begin without a clock, or with an embedder that is none', () => {
    const create = createMemoryIndex as (options?: unknown) => unknown;
    const CLOCK = 'Give an object with now() and monotonic().';
    for (const [options, said, remedy] of [
      [undefined, 'options is undefined.', 'Give an object with a clock.'],
      [{}, 'clock is undefined.', CLOCK],
      [{ clock: Date }, 'clock is a function.', CLOCK],
      [{ clock: { now: () => 0 } }, 'clock is an object.', CLOCK],
      [{ clock, embeder: {} }, 'embeder is unknown.', 'Give one of clock, embedder.'],
      [
        { clock, embedder: { embedQuery: () => 0, embedPassages: () => 0 } },
        'embedder is an object.',
        'Give an object with dimensions, embedQuery() and embedPassages().',
      ],
    ] as const) {
      const error = { code: 'usage', message: `createMemoryIndex(): ${said}`, remedy };
      expect(() => create(options)).toThrow(expect.objectContaining(error));
    }
    expect(create({ clock, embedder: undefined })).toBeDefined();
  });

  it('finds what was added, and no longer what was replaced or removed', async () => {
    const index = createMemoryIndex({ clock });
    await index.add(TEXTS);
    const paths = async (query: string, options = {}) =>
      (await index.search(query, options)).map(({ documentId }) => documentId);
    expect(await paths('anchor')).toEqual(['documents/a.md']);
    expect(await paths('', { filters: { collection: ['other'] } })).toEqual(['other/b.md']);
    expect(await paths('path:a.md')).toEqual(['documents/a.md']);
    expect(await paths('boat', { filters: { collection: ['documents'] } })).toEqual([]);
    await index.add([{ path: 'a.md', text: '# Anvils\n\nHammer on it.\n' }]);
    expect(await paths('anchor')).toEqual([]);
    expect(await paths('anvil')).toEqual(['documents/a.md']);
    index.remove('documents/a.md');
    expect(await paths('anvil')).toEqual([]);
    expect(await paths('boat', { settings: { minConfidence: 0 } })).toEqual(['other/b.md']);
  });

  it('refuses options of a wrong value, by name', async () => {
    const index = createMemoryIndex({ clock });
    const search = index.search as (...given: readonly unknown[]) => Promise<unknown>;
    const CANDIDATES = 'Give a whole number from 10 to 10000 or dynamic.';
    const TIME = 'Give milliseconds since 1970, such as Date.UTC(2026, 0, 31).';
    for (const [options, said, remedy] of [
      [null, 'options is null.'],
      [{ topN: 0 }, 'topN is 0.'],
      [{ topN: '5' }, 'topN is the text “5”.', 'Give a whole number from 1.'],
      [{ mode: 'fast' }, 'mode is the text “fast”.'],
      [{ mode: 'semantic' }, 'mode is semantic, but the index has no embedder.'],
      [{ minConfidence: Number.NaN }, 'minConfidence is NaN.'],
      [{ topn: 1 }, 'topn is unknown.'],
      [{ parents: 'no' }, 'parents is the text “no”.'],
      [{ explain: 1 }, 'explain is 1.', 'Give true or false.'],
      [{ signal: 'x' }, 'signal is the text “x”.'],
      [{ settings: 5 }, 'settings is 5.', 'Give an object.'],
      [{ settings: { topM: 5 } }, 'settings.topM is unknown.'],
      [{ settings: { topN: 0.5 } }, 'settings.topN is 0.5.', 'Give a whole number from 1.'],
      [{ settings: { graphDepth: 4 } }, 'settings.graphDepth is 4.', 'Give a whole number from 1 to 3.'],
      [{ settings: { keywordWeight: -5 } }, 'settings.keywordWeight is -5.', 'Give a number from 0 to 10.'],
      [{ settings: { maxChunksPerDoc: -1 } }, 'settings.maxChunksPerDoc is -1.'],
      [{ settings: { fusion: 'x' } }, 'settings.fusion is the text “x”.', 'Give one of convex, rrf.'],
      [{ settings: { recencyBias: 'x' } }, 'settings.recencyBias is the text “x”.'],
      [{ settings: { evidenceSteepness: Number.NaN } }, 'settings.evidenceSteepness is NaN.'],
      [{ settings: { mmrEnabled: 1 } }, 'settings.mmrEnabled is 1.', 'Give true or false.'],
      [{ settings: { candidates: 'all' } }, 'settings.candidates is the text “all”.', CANDIDATES],
      [
        { settings: { scoreCalibrationThreshold: Number.POSITIVE_INFINITY } },
        'settings.scoreCalibrationThreshold is Infinity.',
        'Give a number.',
      ],
      [{ filters: { tags: ['x'] } }, 'filters.tags is unknown.'],
      [{ filters: { tag: 'x' } }, 'filters.tag is the text “x”.', 'Give a list of texts.'],
      [{ filters: { tag: [5] } }, 'filters.tag.0 is 5.'],
      [{ filters: { after: '7d' } }, 'filters.after is the text “7d”.', TIME],
      [{ filters: { before: Number.NaN } }, 'filters.before is NaN.', TIME],
      [
        { filters: { where: { status: 'x' } } },
        'filters.where is an object.',
        "Give a list, such as [{ key: 'status', value: 'draft' }].",
      ],
      [
        { filters: { where: ['status=x'] } },
        'filters.where.0 is the text “status=x”.',
        "Give texts, such as { key: 'status', value: 'draft' }.",
      ],
    ] as const)
      await expect(search('x', options)).rejects.toMatchObject({
        code: 'usage',
        message: `search(): ${said}`,
        ...(remedy && { remedy }),
      });
    await expect((index.search as () => Promise<unknown>)()).rejects.toMatchObject({ code: 'usage' });
    const settings = { ...DEFAULT_SEARCH_SETTINGS, candidates: 'dynamic', topN: 1000 } as const;
    expect(await index.search('x', { settings })).toEqual([]);
    const absent = { topN: undefined, mode: undefined, filters: undefined, settings: { topN: undefined } };
    expect(await index.search('x', absent as object)).toEqual([]);
  });

  it('refuses documents of a wrong value, and then adds none of them', async () => {
    const index = createMemoryIndex({ clock });
    const add = index.add as (...given: readonly unknown[]) => Promise<unknown>;
    const FIELDS = 'Give one of path, text, collection, modified.';
    const NAME = 'Give a name without /, such as notes.';
    for (const [given, said, remedy] of [
      [[{ path: 'a.md', text: 'x' }], 'documents is an object.'],
      [[[...TEXTS, null]], 'documents.2 is null.'],
      [[[{ text: 'x' }]], 'documents.0.path is undefined.'],
      [[[{ path: 'c.md', text: 'x', colection: 'a' }]], 'documents.0.colection is unknown.', FIELDS],
      [[[...TEXTS, { path: 'c.md' }]], 'documents.2.text is undefined.'],
      [[[...TEXTS, { path: 'c.md', text: 'x', modified: Number.NaN }]], 'documents.2.modified is NaN.'],
      [[[{ path: '', text: 'x' }]], 'documents.0.path is the text “”.', 'Give a path, such as guides/a.md.'],
      [[[{ collection: '', path: 'c.md', text: 'x' }]], 'documents.0.collection is the text “”.', NAME],
      // Its id would be that of b/c.md in the collection a.
      [[[{ collection: 'a/b', path: 'c.md', text: 'x' }]], 'documents.0.collection is the text “a/b”.', NAME],
      [[TEXTS, 'x'], 'signal is the text “x”.'],
    ] as const)
      await expect(add(...given)).rejects.toMatchObject({
        code: 'usage',
        message: `add(): ${said}`,
        ...(remedy && { remedy }),
      });
    expect(await index.search('anchor')).toEqual([]);
    await index.add(TEXTS);
    const filters = { where: [{ key: 'status', value: 'x' }], after: 0, before: 1 };
    expect(await index.search('anchor', { filters })).toEqual([]);
  });

  it('refuses to remove what is no id, and ignores an id that is not there', async () => {
    const index = createMemoryIndex({ clock });
    await index.add(TEXTS);
    const remove = index.remove as (id: unknown) => void;
    expect(() => remove(5)).toThrow(
      expect.objectContaining({ code: 'usage', message: 'remove(): the id is 5.' }),
    );
    index.remove('a.md');
    expect(await index.search('anchor')).toHaveLength(1);
  });

  it('finds by the vectors it is given, and stops when asked', async () => {
    const of = (text: string) => new Float32Array(text.includes('oat') ? [0, 1] : [1, 0]);
    const embedder = {
      dimensions: 2,
      embedQuery: async (text: string) => of(text),
      embedPassages: async (texts: readonly string[]) => texts.map(of),
    };
    const index = createMemoryIndex({ clock, embedder });
    await index.add(TEXTS);
    const [best] = await index.search('coat', { mode: 'semantic', minConfidence: 0 });
    expect(best?.path).toBe('b.md');
    await expect(index.add(TEXTS, AbortSignal.abort())).rejects.toThrow(/abort/i);
    await expect(index.search('coat', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  describe('while an embedder works', () => {
    const vector = new Float32Array([0, 1]);
    /** An index whose `slow` texts are embedded only after `release`. */
    function slowIndex() {
      const { promise, resolve: release } = Promise.withResolvers<void>();
      const embedPassages = async (texts: readonly string[]) => {
        if (texts.some((text) => text.includes('slow'))) await promise;
        return texts.map(() => vector);
      };
      const embedder = { dimensions: 2, embedQuery: async () => vector, embedPassages };
      const index = createMemoryIndex({ clock, embedder });
      const texts = async () =>
        (await index.search('', { filters: { path: ['*.md'] } })).map(({ text }) => text).sort();
      return { index, release, texts };
    }

    it('keeps what a later call added or removed', async () => {
      const { index, release, texts } = slowIndex();
      const slow = ['a.md', 'b.md', 'c.md'].map((path) => ({ path, text: 'slow' }));
      const first = index.add(slow);
      const second = index.add([...slow.slice(0, 1), { path: 'd.md', text: 'slow second' }]);
      await index.add([{ path: 'a.md', text: 'new' }]);
      index.remove('documents/b.md');
      release();
      await Promise.all([first, second]);
      expect(await texts()).toEqual(['new', 'slow', 'slow second']);
      await index.add([{ path: 'b.md', text: 'back' }]);
      expect(await texts()).toContain('back');
    });

    it('keeps what an earlier call added if a later one fails', async () => {
      const { index, release, texts } = slowIndex();
      const added = index.add([{ path: 'a.md', text: 'slow' }]);
      await expect(index.add([{ path: 'a.md', text: 'new' }], AbortSignal.abort())).rejects.toThrow(/abort/i);
      release();
      await added;
      expect(await texts()).toEqual(['slow']);
    });

    it('adds nothing if it is stopped, even if the embedder does not stop', async () => {
      const last = { path: 'b.md', text: 'slow' };
      for (const documents of [[last], [{ path: 'a.md', text: 'first' }, last]]) {
        const { index, release, texts } = slowIndex();
        const stop = new AbortController();
        const added = index.add(documents, stop.signal);
        stop.abort();
        release();
        await expect(added).rejects.toThrow(/abort/i);
        expect(await texts()).toEqual([]);
      }
    });
  });

  it('refuses wrong vectors, and then keeps the document that was there', async () => {
    let wrong: number[] | undefined;
    const give = () => new Float32Array(wrong ?? [0, 1]);
    const embedder = {
      dimensions: 2,
      embedQuery: async () => give(),
      embedPassages: async (texts: readonly string[]) => texts.map(give),
    };
    const index = createMemoryIndex({ clock, embedder });
    await index.add([{ path: 'a.md', text: '# Boats\n\nA boat floats.\n' }]);
    for (const [vector, message] of [
      [[1], 'of length 1; the index has vectors of length 2'],
      [[0, Number.NaN], 'not finite'],
    ] as const) {
      wrong = [...vector];
      await expect(index.add([{ path: 'a.md', text: '# Trains\n' }])).rejects.toThrow(message);
      await expect(index.search('boat')).rejects.toThrow(message);
    }
    wrong = undefined;
    const none = createMemoryIndex({ clock, embedder: { ...embedder, embedPassages: async () => [] } });
    await expect(none.add(TEXTS)).rejects.toThrow('gave 0 vectors in place of 1');
    expect((await index.search('boat', { settings: { minConfidence: 0 } })).map(({ path }) => path)).toEqual([
      'a.md',
    ]);
  });
});
