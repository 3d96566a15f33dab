import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { fromWire, toWire, type Wire } from '../../../src/surfaces/operations/wire.ts';

test('names become snake_case all the way down, values stay', () => {
  const hit = { chunkId: 'a', matchedLines: [1, 2], parts: [{ startLine: 3 }] } as const;
  expect(toWire(hit)).toEqual({ chunk_id: 'a', matched_lines: [1, 2], parts: [{ start_line: 3 }] });
});

test('keys of maps that belong to the user are left alone', () => {
  const wire = toWire({ frontMatter: { myKey: { innerKey: 1 } }, timingsMs: { parseQuery: 2 } });
  expect(wire).toEqual({ front_matter: { myKey: { innerKey: 1 } }, timings_ms: { parseQuery: 2 } });
  expect(fromWire(wire)).toEqual({ frontMatter: { myKey: { innerKey: 1 } }, timingsMs: { parseQuery: 2 } });
});

test('undefined fields are left out, null and false are not', () => {
  expect(Object.keys(toWire({ a: undefined, b: null, c: false }))).toEqual(['b', 'c']);
  expect(Object.keys(fromWire({ top_n: undefined }))).toEqual([]);
});

test('the types follow the values', () => {
  interface Library {
    readonly startLine: number;
    readonly headingPath: readonly string[];
    readonly inner?: { readonly codeLanguage: string };
    readonly frontMatter: { readonly someKey: string };
  }
  expectTypeOf<Wire<Library>>().toEqualTypeOf<{
    readonly start_line: number;
    readonly heading_path: readonly string[];
    readonly inner?: { readonly code_language: string };
    readonly front_matter: { readonly someKey: string };
  }>();
});

test('there and back gives the same value', () => {
  const name = fc.stringMatching(/^[a-z]{1,6}([A-Z][a-z]{1,5}){0,2}$/);
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf), tie('tree')), {
      noNullPrototype: true,
    }),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(fromWire(toWire(value))).toEqual(value);
    }),
  );
});
