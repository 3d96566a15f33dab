/** How sources are written: the project keeps the rules, and each rule catches a planted violation. */
import { describe, expect, it } from 'vitest';
import { checkShape } from './check-shape.ts';
import { projectSources } from './project-files.ts';

const OPENING = '/** What this is for. */\n';

function rulesBroken(path: string, source: string): readonly string[] {
  return checkShape([{ path, source }]).map((violation) => violation.rule);
}

describe('the project', () => {
  it('keeps the rules of shape', () => {
    expect(checkShape(projectSources())).toEqual([]);
  });
});

describe('the checker', () => {
  it('finds nothing in a sound file', () => {
    const source = `${OPENING}const LIMIT = 3;\nexport function f(process: number): number { let n = process; return n + LIMIT; }`;
    expect(rulesBroken('src/engine/sound-file.ts', source)).toEqual([]);
  });

  it.each([
    ['export-star', `export * from './a.ts';`],
    ['default-export', 'export default function f() {}'],
    ['default-export', 'const a = 1; export { a as default };'],
    ['default-export', `export { default } from './a.ts';`],
    ['module-state', 'let count = 0;'],
    ['module-state', 'export let count = 0;'],
    ['module-state', 'var count = 0;'],
    ['module-state', 'const cache = new Map<string, number>();'],
    ['module-state', 'const seen = new WeakSet();'],
    ['module-state', 'const queue: string[] = [];'],
    ['module-state', 'export const registry = {};'],
    ['class', 'class Store {}'],
    ['class', 'export const make = () => class {};'],
  ])('reports %s for: %s', (rule, source) => {
    expect(rulesBroken('src/engine/planted.ts', OPENING + source)).toEqual([rule]);
  });

  it.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const roll = Math.random();',
    'const page = await fetch("/");',
    'setTimeout(() => {}, 1);',
    'const home = process.env.HOME;',
    'const bytes = Buffer.from("a");',
    'const started = performance.now();',
    'const here = import.meta.url;',
    'const id = crypto.randomUUID();',
    'console.log(1);',
    'const order = "a".localeCompare("b");',
    'const low = "I".toLocaleLowerCase();',
    'const all = globalThis;',
    'const holder = { process };',
  ])('reports core-purity for: %s', (source) => {
    expect(rulesBroken('src/core/rank/planted.ts', OPENING + source)).toEqual(['core-purity']);
  });

  it.each([
    'const when = new Date(0).toISOString();',
    'const parsed = Date.parse("2026-01-01");',
    'const named = { process: 1, fetch: 2 }.process;',
    '// Date.now() in a comment, "Math.random()" in a string',
  ])('lets pass in core: %s', (source) => {
    expect(rulesBroken('src/core/rank/fine.ts', OPENING + source)).toEqual([]);
  });

  it('lets the error class stand in errors.ts alone', () => {
    expect(rulesBroken('src/core/errors.ts', `${OPENING}export class DocfuseError extends Error {}`)).toEqual(
      [],
    );
  });

  it('reports a file that does not open with a sentence on its purpose', () => {
    expect(rulesBroken('src/engine/a.ts', 'export const a = 1;')).toEqual(['opening-comment']);
    expect(rulesBroken('src/engine/a.ts', '/** */\nexport const a = 1;')).toEqual(['opening-comment']);
    expect(rulesBroken('src/engine/a.ts', '/**\n * Two\n * lines.\n */')).toEqual([]);
    expect(rulesBroken('test/a.test.ts', 'const a = 1;')).toEqual([]);
  });

  it.each(['src/engine/camelCase.ts', 'src/engine/snake_case.ts', 'src/engine/Capital.ts'])(
    'reports the file name %s',
    (path) => {
      expect(rulesBroken(path, OPENING)).toEqual(['file-name']);
    },
  );

  it('reports an object literal that is spread into another one', () => {
    expect(rulesBroken('src/engine/a.ts', `${OPENING}export const a = { ...{ b: 1 }, c: 2 };`)).toEqual([
      'spread-literal',
    ]);
    expect(
      rulesBroken('src/engine/a.ts', `${OPENING}export const a = (b: object) => ({ ...b, c: 2 });`),
    ).toEqual([]);
  });

  it('reports a comment that names a source which is not there', () => {
    expect(rulesBroken('src/engine/a.ts', `${OPENING}// see engine/gone.ts`)).toEqual(['comment-path']);
    expect(rulesBroken('src/engine/a.ts', `${OPENING}// see \`src/engine/gone.ts\``)).toEqual([
      'comment-path',
    ]);
    expect(rulesBroken('src/engine/a.ts', `${OPENING}// see engine/a.ts`)).toEqual([]);
    expect(rulesBroken('src/engine/a.ts', `${OPENING}const path = 'engine/gone.ts';`)).toEqual([]);
  });

  it('reports the 301st line, unless line 2 gives a reason', () => {
    const body = '\n'.repeat(299);
    expect(rulesBroken('test/a.test.ts', `${OPENING}${body}`)).toEqual([]);
    expect(rulesBroken('test/a.test.ts', `${OPENING}\n${body}`)).toEqual(['file-length']);
    const reasoned = `${OPENING}// over 300 lines: one table that reads best in one piece\n${body}`;
    expect(rulesBroken('test/a.test.ts', reasoned)).toEqual([]);
    expect(rulesBroken('test/a.test.ts', `${OPENING}// over 300 lines:\n${body}`)).toEqual(['file-length']);
  });
});
