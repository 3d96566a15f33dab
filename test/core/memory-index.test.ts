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
    const wrong = [
      { topN: 0 },
      { topN: 1.5 },
      { topN: '5' },
      { mode: 'fast' },
      { minConfidence: Number.NaN },
    ];
    for (const options of wrong) {
      const [[name, value]] = Object.entries(options) as [[string, unknown]];
      const message = `search(): ${name} is ${value}.`;
      await expect(index.search('x', options as object)).rejects.toMatchObject({ code: 'usage', message });
    }
    for (const [options, message] of [
      [{ topn: 1 }, 'search(): topn is unknown.'],
      [{ filters: { tags: ['x'] } }, 'search(): filters.tags is unknown.'],
      [{ filters: { tag: 'x' } }, 'search(): filters.tag is x.'],
    ] as const)
      await expect(index.search('x', options as object)).rejects.toMatchObject({ code: 'usage', message });
    await expect((index.search as () => Promise<unknown>)()).rejects.toMatchObject({ code: 'usage' });
    const absent = { topN: undefined, mode: undefined, filters: undefined, settings: { topN: undefined } };
    expect(await index.search('x', absent as object)).toEqual([]);
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
