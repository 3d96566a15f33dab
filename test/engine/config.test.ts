import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { OpenOptions } from '../../src/engine/api.ts';
import { loadConfig } from '../../src/engine/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'docfuse-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(toml: string, options: OpenOptions = {}) {
  writeFileSync(join(folder, 'docfuse.toml'), toml);
  return loadConfig({ cwd: folder, ...options });
}

test('settings of a call are laid over those of the file, in inner sections too', () => {
  const { settings } = load('[search]\ntop_n = 9\n[search.advanced]\nmin_factor = 0.2\n', {
    settings: { search: { recency_bias: 0.1, advanced: { variance_threshold: 0.05 } } },
  });
  expect(settings.search).toMatchObject({
    top_n: 9,
    recency_bias: 0.1,
    fusion: 'convex',
    advanced: { min_factor: 0.2, variance_threshold: 0.05 },
  });
});

test.each([
  ['[serach]\n', 'unknown key serach', 'search'],
  ['[search]\ntopn = 3\n', 'unknown key search.topn', 'top_n'],
  ['[search.advanced]\nmin_facter = 0.2\n', 'unknown key search.advanced.min_facter', 'min_factor'],
  ['[[collections]]\npaht = "x"\n', 'unknown key collections.0.paht', 'path'],
])('%j is refused with the nearest name', (toml, message, name) => {
  expect(() => load(toml)).toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringContaining(message),
      remedy: expect.stringContaining(`mean ${name}?`),
    }),
  );
});

test('a value out of range is refused by name', () => {
  expect(() => load('[search.advanced]\nmin_factor = 2\n')).toThrow(/search\.advanced\.min_factor/);
});
