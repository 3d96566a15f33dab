/** What the built pages weigh. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BUILT_PACKAGE } from '../../build-package.ts';

test('the page without the map is at most 120 kB, compressed', () => {
  expect(sizeOf('index.html', true)).toBeLessThan(120_000);
});

test('the page of an export is at most 119 kB, 127 with a document open, its element for other sites 65 kB', () => {
  expect(sizeOf('site.html')).toBeLessThan(119_000);
  const reading = new Set([
    ...filesOf('site.html'),
    ...filesOf('reading-pane.tsx'),
    ...filesOf('related-documents.tsx'),
  ]);
  expect(bytesOf(reading)).toBeLessThan(127_000);
  const element = readFileSync(join(FOLDER, 'docfuse-search.js'));
  expect(gzipSync(element).length).toBeLessThan(65_000);
});

test('the page of an export loads nothing for grades, answers and tokens, and no help before it is opened', () => {
  const textOf = (entry: string) =>
    [...filesOf(entry)].map((file) => readFileSync(join(FOLDER, file), 'utf8')).join('\n');
  const [server, site] = [textOf('index.html'), textOf('site.html')];
  for (const part of ['/api/judge', '/api/ask', 'This server needs a token', 'Nothing here answers']) {
    expect(server).toContain(part);
    expect(site).not.toContain(part);
  }
  expect(site).not.toContain('Show this help');
});

const FOLDER = join(BUILT_PACKAGE, 'dist/web');

/** Compressed size of the files of `filesOf`. */
function sizeOf(entry: string, later = false): number {
  return bytesOf(filesOf(entry, later));
}

function bytesOf(files: ReadonlySet<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(FOLDER, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * The files of an entry of the built page, with everything that it loads.
 * @param later whether to count what it loads later, such as views. @default false
 */
function filesOf(entry: string, later = false): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8'));
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
  return files;
}
