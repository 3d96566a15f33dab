/** Who imports whom: the project keeps the rules, and each rule catches a planted violation. */
import { describe, expect, it } from 'vitest';
import { checkImports, layerOf } from './check-imports.ts';
import { LAYERS } from './layers.ts';
import type { SourceFile } from './parse-source.ts';
import { projectPaths, projectSources } from './project-files.ts';

/** A small project that keeps every rule. */
const SOUND: Readonly<Record<string, string>> = {
  'src/core/model/hit.ts': 'export interface Hit { readonly score: number }',
  'src/core/text/fold.ts': 'export const fold = (text: string): string => text;',
  'src/core/rank/fuse.ts': `import type { Hit } from '../model/hit.ts'; import { fold } from '../text/fold.ts';`,
  'src/core/search/pipeline.ts': `import { fuse } from '../rank/fuse.ts'; import { parse } from 'yaml';`,
  'src/adapters/store/sqlite.ts': `import { DatabaseSync } from 'node:sqlite'; import '../../core/model/hit.ts';`,
  'src/adapters/source/files.ts': `import { readFile } from 'node:fs/promises';`,
  'src/engine/search.ts': `import '../core/search/pipeline.ts';`,
  'src/engine/open.ts': `import '../adapters/store/sqlite.ts'; import './search.ts'; import './sync/sync.ts';`,
  'src/engine/sync/sync.ts': `import '../watch/watch.ts'; import '../search.ts';`,
  'src/engine/watch/watch.ts': `import type { Hit } from '../../core/model/hit.ts';`,
  'src/surfaces/cli/main.ts': `import { open } from '../../engine/open.ts';`,
  'src/surfaces/attach/discovery-file.ts': 'export const port = 1;',
};

/** Rules broken once `plant` stands in the sound project. */
function rulesBroken(plant: Readonly<Record<string, string>>): readonly string[] {
  const files: readonly SourceFile[] = Object.entries({ ...SOUND, ...plant }).map(([path, source]) => ({
    path,
    source,
  }));
  return checkImports(files).map((violation) => violation.rule);
}

describe('the project', () => {
  it('imports in one direction, without cycles, and only what exists', () => {
    expect(checkImports(projectSources(), projectPaths())).toEqual([]);
  });

  it('has no file under src that belongs to no layer', () => {
    const strays = projectSources().filter(
      ({ path }) => path.startsWith('src/') && layerOf(path) === undefined,
    );
    expect(strays).toEqual([]);
  });

  it('has a table of layers in which everybody imports only what stands above', () => {
    const wrong = LAYERS.filter((layer, index) => {
      const above = LAYERS.slice(0, index).map(({ name }) => name);
      return !layer.imports.every((name) => above.includes(name));
    });
    expect(wrong).toEqual([]);
  });

  it('gives no two layers one name, or what is granted to one would be granted to both', () => {
    expect(new Set(LAYERS.map(({ name }) => name)).size).toBe(LAYERS.length);
  });
});

describe('the checker', () => {
  it('finds nothing in a sound project', () => {
    expect(rulesBroken({})).toEqual([]);
  });

  it.each([
    ['model imports text', 'src/core/model/hit.ts', `import { fold } from '../text/fold.ts'`],
    ['a sibling imports a sibling', 'src/core/chunk/cut.ts', `import '../rank/fuse.ts'`],
    [
      'rank imports search, by type only',
      'src/core/rank/top.ts',
      `import type { Stage } from '../search/pipeline.ts'`,
    ],
    [
      'core imports an adapter',
      'src/core/search/run.ts',
      `export { open } from '../../adapters/store/sqlite.ts'`,
    ],
    [
      'core imports the engine, dynamically',
      'src/core/rank/lazy.ts',
      `void import('../../engine/search.ts')`,
    ],
    ['an adapter imports another', 'src/adapters/source/watch.ts', `import '../store/sqlite.ts'`],
    [
      'an adapter imports a surface',
      'src/adapters/source/ask.ts',
      `import '../../surfaces/attach/discovery-file.ts'`,
    ],
    ['an adapter imports the engine', 'src/adapters/source/config.ts', `import '../../engine/search.ts'`],
    [
      'the engine imports an adapter outside open.ts',
      'src/engine/sync.ts',
      `import '../adapters/source/files.ts'`,
    ],
    ['a room of the engine imports one above it', 'src/engine/watch/late.ts', `import '../sync/sync.ts'`],
    ['a surface imports another', 'src/surfaces/http/serve.ts', `import '../cli/main.ts'`],
    ['an operation imports a surface', 'src/surfaces/operations/a.ts', `import '../cli/main.ts'`],
    ['a surface imports an adapter', 'src/surfaces/cli/read.ts', `import '../../adapters/source/files.ts'`],
    ['a surface imports ranking', 'src/surfaces/cli/rank.ts', `import '../../core/rank/fuse.ts'`],
    ['the engine imports a surface', 'src/engine/print.ts', `import '../surfaces/cli/main.ts'`],
    ['a type is imported in place', 'src/core/text/odd.ts', `export type T = import('../rank/fuse.ts').T`],
    ['a worker is named by URL', 'src/core/text/spawn.ts', `new URL('../rank/fuse.ts', 'file:///')`],
    ['a file belongs to no layer', 'src/stray.ts', `import './core/model/hit.ts'`],
    ['src imports a test', 'src/engine/fake.ts', `import '../../test/fake.ts'`],
  ])('refuses that %s', (_, path, source) => {
    expect(rulesBroken({ [path]: source, 'test/fake.ts': '' })).toContain('direction');
  });

  it.each([
    ['a Node built-in', `import { join } from 'node:path'`],
    ['a Node built-in without its prefix', `import fs from 'fs'`],
    ['a package that is not on the list', `import { Command } from 'commander'`],
    ['a type of such a package', `import type { Command } from 'commander'`],
  ])('refuses %s in core', (_, source) => {
    expect(rulesBroken({ 'src/core/text/planted.ts': source })).toEqual(['core-purity']);
  });

  it('refuses a cycle, also one of types alone', () => {
    const plant = {
      'src/core/rank/a.ts': `import type { B } from './b.ts'`,
      'src/core/rank/b.ts': `import { c } from './c.ts'`,
      'src/core/rank/c.ts': `export { a } from './a.ts'`,
    };
    expect(rulesBroken(plant)).toEqual(['cycle']);
  });

  it('refuses an import of a file that is not there', () => {
    expect(rulesBroken({ 'src/core/rank/a.ts': `import './gone.ts'` })).toEqual(['unresolved']);
  });

  it('refuses an import without extension', () => {
    expect(rulesBroken({ 'src/core/rank/a.ts': `import './fuse'` })).toEqual(['extension']);
  });

  it('is not misled by comments and strings', () => {
    const source = `/** import x from 'node:fs' */ // import '../search/pipeline.ts'\nexport const s = "import 'fs'";`;
    expect(rulesBroken({ 'src/core/rank/a.ts': source })).toEqual([]);
  });
});
