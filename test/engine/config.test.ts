import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenOptions } from '../../src/engine/api.ts';
import { configSchema, loadConfig } from '../../src/engine/config.ts';
import { PRESET_NAMES, PRESETS } from '../../src/engine/presets.ts';

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

test('every key there is, mistyped, is refused with its own name', () => {
  const keys = keysOf(z.toJSONSchema(configSchema, { io: 'input' }) as Schema);
  expect(keys.length).toBeGreaterThan(60);
  for (const [section, key] of keys) {
    const wrong = `${key.slice(0, 1)}q${key.slice(1)}`;
    const header = section === '' ? '' : section === 'collections' ? '[[collections]]\n' : `[${section}]\n`;
    expect(() => load(`${header}${wrong} = 1\n`), `${section}.${wrong}`).toThrow(
      expect.objectContaining({ code: 'config', remedy: `Did you mean ${key}?` }),
    );
  }
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Every key with the section it stands in, sections among them. */
function keysOf({ properties = {} }: Schema, section = ''): [section: string, key: string][] {
  return Object.entries(properties).flatMap(([key, schema]): [string, string][] => {
    const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined;
    const name = section === '' ? key : `${section}.${key}`;
    return [[section, key], ...(inner ? keysOf(inner, name) : [])];
  });
}

test('presets hold the values they are documented with', () => {
  expect(PRESETS).toEqual({
    general: {},
    api: { search: { keyword_weight: 1.5, code_search_weight: 2, recency_bias: 0, max_chunks_per_doc: 4 } },
    notes: { search: { recency_bias: 1, graph_weight: 1 } },
    research: { search: { semantic_weight: 1.5, recency_bias: 0, top_n: 15, mmr_enabled: true } },
  });
});

test('a value out of range is refused by name', () => {
  expect(() => load('[search.advanced]\nmin_factor = 2\n')).toThrow(/search\.advanced\.min_factor/);
});

test('a preset outweighs the file, and a setting of the call outweighs the preset', () => {
  const file = '[search]\nrecency_bias = 0.3\nmin_confidence = 0.2\n';
  const plain = load(file, { preset: 'api' }).settings.search;
  expect(plain).toMatchObject({ recency_bias: 0, keyword_weight: 1.5, min_confidence: 0.2 });
  const set = load(file, { preset: 'api', settings: { search: { recency_bias: 0.9 } } });
  expect(set.settings.search).toMatchObject({ recency_bias: 0.9, keyword_weight: 1.5 });
});

test.each(PRESET_NAMES)(
  'preset %s is made of settings that exist, and says something of its own',
  (preset) => {
    const usual = load('').settings;
    const { settings } = load('', { preset });
    if (preset === 'general') expect(settings).toEqual(usual);
    else expect(settings.search).not.toEqual(usual.search);
    // What is indexed must not depend on how is searched.
    expect({ ...settings, search: undefined }).toEqual({ ...usual, search: undefined });
  },
);

test('an unknown preset is refused by name', () => {
  expect(() => load('', { preset: 'nots' as 'notes' })).toThrow('no preset nots');
});
