/** What a program asks of an index is checked at its edge: in JavaScript no compiler does it. */
import { describe, expect, test } from 'vitest';
import { DocfuseError } from '../../src/core/errors.ts';
import type { Index } from '../../src/engine/api.ts';
import type { Filters } from '../../src/engine/filters.ts';
import { open } from '../../src/engine/open.ts';
import { createVault } from './vault.ts';

const FILES = {
  'old.md': '---\ndate: 2020-01-01\ntags: [auth]\nstatus: draft\n---\n# Old\n\nA lantern.\n',
  'new.md': `---\ndate: ${new Date().toISOString().slice(0, 10)}\n---\n# New\n\nA lantern.\n`,
};

/** The index without its types. */
type Loose = { readonly [Name in keyof Index]: (...given: readonly unknown[]) => Promise<unknown> };

async function openLoose(): Promise<Index & Loose> {
  const index = await createVault(FILES).open();
  await index.sync({ embed: false });
  return index as Index & Loose;
}

describe('what is wrong is named, with what is allowed', () => {
  const WRONG: readonly (readonly [method: keyof Index & string, given: readonly unknown[], said: RegExp])[] =
    [
      ['search', [undefined], /search\(\): the query is not text/],
      ['search', ['x'.repeat(16_001)], /search\(\): the query is longer than 16,000 characters/],
      ['search', ['x', { mode: 'bad' }], /mode: “bad” is not one of hybrid, semantic/],
      ['search', ['x', { topN: 'x' }], /topN: “x” is not a number/],
      ['search', ['x', { perDocument: 0 }], /perDocument: 0 is less than 1/],
      ['search', ['x', { topN: -1 }], /topN: -1 is less than 1/],
      ['search', ['x', { topN: 1000 }], /topN: 1000 is more than 100/],
      ['search', ['x', { topM: 3 }], /unknown field topM \(nearest: topN\)/],
      ['search', ['x', { limit: 3 }], /unknown field limit \(nearest: topN\)/],
      ['search', ['x', { minConfidence: 2 }], /minConfidence: 2 is more than 1/],
      ['search', ['x', { filters: { tag: 'auth' } }], /filters\.tag: “auth” is not a list/],
      ['search', ['x', { filters: { tags: ['nobody'] } }], /unknown field tags \(nearest: tag\)/],
      ['search', ['x', { filters: { after: 'soon' } }], /^search\(\): filters\.after: “soon” is not a date/],
      ['search', ['x', { signal: 'now' }], /signal: it is not an AbortSignal/],
      ['searchWithHypothesis', ['x', { mode: 'keyword' }], /unknown field mode/],
      ['read', ['old.md', { startLine: 0 }], /startLine: 0 is less than 1/],
      ['related', ['old.md', { depth: 9 }], /depth: 9 is more than 3/],
      ['related', [7], /the document is not text/],
      ['list', [{ limit: -5 }], /limit: -5 is less than 1/],
      ['graph', [{ limit: 5001 }], /limit: 5001 is more than 5000/],
      ['audit', [{ limit: 10_001 }], /limit: 10001 is more than 10000/],
      ['map', [{ limit: 100_001 }], /limit: 100001 is more than 100000/],
      ['tags', [{ filter: {} }], /unknown field filter/],
      ['status', [{ signal: 1 }], /signal/],
      ['sync', [{ onProgress: 'x' }], /onProgress: it is not a function/],
      ['sync', [{ rebild: true }], /unknown field rebild \(nearest: rebuild\)/],
      ['watch', [], /watch\(\): it is missing/],
      ['watch', [{}], /onChange: it is not a function/],
      ['watch', [{ onChange() {}, onChanged() {} }], /unknown field onChanged \(nearest: onChange\)/],
    ];
  test('by every method', async () => {
    const index = await openLoose();
    for (const [method, given, said] of WRONG) {
      const ask = async () => index[method](...given);
      const error = await ask().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, `${method} ${JSON.stringify(given)}`).toBeInstanceOf(DocfuseError);
      expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(said) });
    }
  });

  test('with a remedy about the value, where a value is wrong', async () => {
    const index = await openLoose();
    await expect(index.search('x', { topN: 101 })).rejects.toMatchObject({ remedy: 'Give at most 100.' });
    expect(() => index.watch({ onChange: 'x' } as never)).toThrow(
      expect.objectContaining({ remedy: 'Give an allowed value.' }),
    );
  });

  test('when opening, too', async () => {
    await expect(open({ root: 'docs' } as object)).rejects.toMatchObject({
      code: 'usage',
      message: 'open(): unknown field root (nearest: roots).',
    });
    for (const [options, said] of [
      [{ indexPath: '' }, 'indexPath: it is empty'],
      [{ config: '' }, 'config: it is empty'],
      [{ settings: [] }, 'settings: a list is not a set of fields'],
      [{ settings: null }, 'settings: null is not a set of fields'],
    ] as const)
      await expect(open(options as object)).rejects.toMatchObject({
        code: 'usage',
        message: `open(): ${said}.`,
        remedy: 'Give an allowed value, or leave it out.',
      });
  });
});

test('a date is what it is on the wire, or a Date, or milliseconds', async () => {
  const index = await createVault(FILES).open();
  await index.sync({ embed: false });
  const paths = async (filters: Filters) => {
    const { documents } = await index.list({ filters });
    return documents.map(({ path }) => path);
  };
  for (const after of ['2021-01-01', '30d', new Date('2021-01-01'), Date.UTC(2021, 0)])
    expect(await paths({ after })).toEqual(['new.md']);
  expect(await paths({ before: '2021' })).toEqual(['old.md']);
  expect(await paths({ where: { status: 'draft' } })).toEqual(['old.md']);
  expect(await paths({ where: { status: ['draft', 'done'] }, tag: ['auth'] })).toEqual(['old.md']);
});

test('a signal that was aborted ends every method that takes time', async () => {
  const index = await createVault(FILES).open();
  await index.sync({ embed: false });
  const reason = new Error('no longer wanted');
  const stopped = { signal: AbortSignal.abort(reason) };
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    search: () => index.search('lantern', stopped),
    searchWithHypothesis: () => index.searchWithHypothesis('lantern', stopped),
    read: () => index.read('old.md', stopped),
    related: () => index.related('old.md', stopped),
    list: () => index.list(stopped),
    tags: () => index.tags(stopped),
    graph: () => index.graph(stopped),
    audit: () => index.audit(stopped),
    map: () => index.map(stopped),
    export: () => index.export('somewhere', stopped),
    collections: () => index.collections(stopped),
    status: () => index.status(stopped),
    check: () => index.check(stopped),
    sync: () => index.sync(stopped),
  };
  const without = ['indexPath', 'watch', 'close'];
  expect(Object.keys(asked).sort()).toEqual(
    Object.keys(index)
      .filter((name) => !without.includes(name))
      .sort(),
  );
  for (const [name, ask] of Object.entries(asked)) await expect(ask(), name).rejects.toThrow();
});
