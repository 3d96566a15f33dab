/** What the built pages weigh. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BUILT_PACKAGE } from '../../build-package.ts';

test('the page without the map is at most 120 kB, compressed', () => {
  expect(sizeOf('index.html', true)).toBeLessThan(120_000);
});

test('the page of an export is at most 120 kB, its element for other sites 65 kB', () => {
  expect(sizeOf('site.html')).toBeLessThan(120_000);
  const element = readFileSync(join(BUILT_PACKAGE, 'dist/web/docfuse-search.js'));
  expect(gzipSync(element).length).toBeLessThan(65_000);
});

/**
 * Compressed size of an entry of the built page, with everything that it loads.
 * @param later whether to count what it loads later, such as views. @default false
 */
function sizeOf(entry: string, later = false): number {
  const folder = join(BUILT_PACKAGE, 'dist/web');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const files = new Set<string>(entry.endsWith('.html') ? [entry] : []);
  const seen = new Set<string>();
  const add = (name: string) => {
    // Those who look at the map load it.
    if (seen.has(name) || name === 'map/map-view.tsx') return;
    seen.add(name);
    const { file, css = [], imports = [], dynamicImports = [] } = manifest[name];
    for (const each of [file, ...css]) files.add(each);
    for (const next of [...imports, ...(later ? dynamicImports : [])]) add(next);
  };
  add(entry);
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(folder, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
