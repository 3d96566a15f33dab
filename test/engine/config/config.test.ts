import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
// over 300 lines: the many ways in which a configuration can be wrong, each with what is said of it
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { OpenOptions } from '../../../src/engine/api.ts';
import { environmentName, loadConfig } from '../../../src/engine/config/config.ts';
import { configSchema } from '../../../src/engine/config/config-schema.ts';
import { PRESET_NAMES, PRESETS } from '../../../src/engine/config/presets.ts';
import { settingKeys } from '../../../src/engine/config/setting-keys.ts';
import type { SettingsOverride } from '../../../src/engine/config/settings.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

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

test.each([
  ['top_n = 5\n', /:1 has an unknown key top_n\.$/, /^It belongs under \[search\]\.$/],
  ['min_factor = 5\n', /min_factor/, /^It belongs under \[search\.advanced\]\.$/],
  [
    '[[collections]]\nname = "a"\n',
    /: path of collections number 1: it is missing\.$/,
    /^Write path = … there;/,
  ],
  [
    '[[collections]]\nname = "a/b"\npath = "."\n',
    /:2: name of collections number 1: it is empty or contains a \/\.$/,
    /another/,
  ],
  [
    '[postgres]\nurl = "postgres://me:hidden@host/search"\n',
    /:2: postgres\.url: The address .* holds a password, [^:]*\.$/,
    /^Leave it out, and put the password into .*password_env names/,
  ],
  ['index_path = 2020-01-01\n', /:1: index_path: a date is not text\.$/, /another value/],
  [
    '[[collections]]\npath = "."\nexclude = ["a/**", "@(b|c)/**"]\n',
    /:3: exclude.* does not support/,
    /another/,
  ],
  ['[[collections]]\npath = "."\ninclude = ["{1..3}/*.md"]\n', /:3: include.* does not support/, /another/],
  ['[[collections]]\npath = "."\nlanguage = "xx"\n', /no language "xx"/, /^Known: /],
  [
    '[[collections]]\nname = "a"\npath = "no"\n',
    /:3: the folder of the collection a does not exist: \/.*no\.$/,
    /its path/,
  ],
])('%j is refused with what to do about it', (toml, message, remedy) => {
  expect(() => load(toml)).toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    }),
  );
});

test('a setting of a call that belongs elsewhere is told where', () => {
  const settings = { search: { min_factor: 0.5 } } as SettingsOverride;
  expect(() => load('', { settings })).toThrow(
    expect.objectContaining({ code: 'config', remedy: 'It belongs under search.advanced.' }),
  );
});

test.each([
  ['a folder', () => folder, /it is a folder\.$/, /^Did you mean .*docfuse\.toml\?$/],
  ['an empty folder', () => mkdtempSync(join(folder, 'empty-')), /it is a folder\.$/, /name another/],
  ...(process.platform === 'linux'
    ? ([['unreadable', () => '/proc/self/mem', /cannot be read: EIO\.$/, /may read/]] as const)
    : []),
  ['no TOML', () => join(folder, 'docfuse.toml'), /docfuse\.toml:2 cannot be read: /, /Correct the line/],
] as const)('a configuration file that is %s is refused with what to do', (_, file, message, remedy) => {
  writeFileSync(join(folder, 'docfuse.toml'), '[search]\ntop_n = \n');
  expect(() => loadConfig({ cwd: folder, config: file() })).toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
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

test('settings under another preset come from what was read, not from the file as it is by then', () => {
  const text = '[search]\ntop_n = 9\n';
  const config = load(text);
  expect(config.settingsUnder('api')).toEqual(load(text, { preset: 'api' }).settings);
  load('[search]\ntop_n = 3\n');
  expect(config.settingsUnder('api').search.top_n).toBe(9);
  expect(config.settingsUnder('general')).toEqual(config.settings);
});

test('an unknown preset is refused by name', () => {
  expect(() => load('', { preset: 'nots' as 'notes' })).toThrow('no preset nots');
});

test.each([
  ['[search]\ntop_n = 3\n\n[serach]\n', 4],
  ['# x\n[search]\n# top_k = 1\ntop_k = 3\n', 4],
  ['search = { fusion = "rrf", topn = 3 }\n', 1],
  ['search.top_n = 3\nsearch.advanced.min_facter = 1\n', 2],
  ['[[collections]]\npath = "a"\n[[collections]]\npath = "b"\npaht = "c"\n', 5],
  ['[[collections]]\npath = """\ntop_n = 9\n"""\ninclude = [\n  "# = [x]",\n  "y",\n]\nbad = 1\n', 9],
  ['[search]\n"top_n" = 0\n', 2],
  ['[search]\ntop_n = 5 # x = 1\nmin_confidence = 4\n', 3],
  ['[search]\ntop_n = 5\ntop_n = 6\n', 3],
])('%j is refused with the line', (toml, line) => {
  expect(() => load(toml)).toThrow(`${folder}/docfuse.toml:${line}`);
});

describe('layers', () => {
  const withUserFile = (toml: string, use: () => void) => {
    const before = process.env.XDG_CONFIG_HOME;
    process.env.XDG_CONFIG_HOME = join(folder, 'config');
    mkdirSync(join(folder, 'config', 'docfuse'), { recursive: true });
    writeFileSync(join(folder, 'config', 'docfuse', 'docfuse.toml'), toml);
    try {
      use();
    } finally {
      rmSync(join(folder, 'config'), { recursive: true });
      if (before === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = before;
    }
  };

  test('defaults < user < project < environment < preset < call, each with its origin', () => {
    const user =
      'index_path = "elsewhere"\n[search]\ntop_n = 2\nrecency_bias = 0.2\ngraph_weight = 0.2\nmin_confidence = 0.2\nfusion = "rrf"\n';
    withUserFile(user, () => {
      writeFileSync(
        join(folder, 'docfuse.toml'),
        '[search]\nrecency_bias = 0.3\ngraph_weight = 0.3\nmin_confidence = 0.3\n',
      );
      const { settings, origins, files, indexPath } = loadConfig(
        { cwd: folder, preset: 'notes', settings: { search: { min_confidence: 0.9 } } },
        {
          DOCFUSE_SEARCH_GRAPH_WEIGHT: '0.4',
          DOCFUSE_SEARCH_MIN_CONFIDENCE: '0.4',
          DOCFUSE_SEARCH_MMR_ENABLED: 'true',
          DOCFUSE_SEARCH_ADVANCED_CANDIDATES: 'dynamic',
          DOCFUSE_SEARCH_TOP_N: '',
        },
      );
      expect(settings.search).toMatchObject({
        top_n: 2,
        fusion: 'rrf',
        recency_bias: 1,
        graph_weight: 1,
        min_confidence: 0.9,
        mmr_enabled: true,
        advanced: { candidates: 'dynamic', min_factor: 0.5 },
      });
      const userFile = join(folder, 'config', 'docfuse', 'docfuse.toml');
      expect(Object.fromEntries(origins)).toEqual({
        'search.top_n': { source: 'user', where: `${userFile}:3` },
        'search.fusion': { source: 'user', where: `${userFile}:7` },
        'search.recency_bias': { source: 'preset', where: 'notes' },
        'search.graph_weight': { source: 'preset', where: 'notes' },
        'search.min_confidence': { source: 'call' },
        'search.mmr_enabled': { source: 'environment', where: 'DOCFUSE_SEARCH_MMR_ENABLED' },
        'search.advanced.candidates': { source: 'environment', where: 'DOCFUSE_SEARCH_ADVANCED_CANDIDATES' },
      });
      expect(files.map(({ role }) => role)).toEqual(['user', 'project']);
      // Where documents and index lie is said by the project's file alone.
      expect(indexPath).toBeUndefined();
    });
  });

  test('without a project file the user’s collections and index hold', () => {
    rmSync(join(folder, 'docfuse.toml'), { force: true });
    withUserFile('index_path = "x"\n[[collections]]\npath = "."\nname = "mine"\n', () => {
      const { collections, indexPath } = loadConfig({ cwd: folder }, {});
      expect(collections.map(({ name }) => name)).toEqual(['mine']);
      expect(indexPath).toBe(join(folder, 'config', 'docfuse', 'x'));
    });
  });

  test.each([
    [
      'DOCFUSE_SEARCH_TOPN',
      '3',
      'no setting for the environment variable DOCFUSE_SEARCH_TOPN',
      'DOCFUSE_SEARCH_TOP_N?',
    ],
    ['DOCFUSE_SEARCH_TOP_N', 'many', 'DOCFUSE_SEARCH_TOP_N: ', 'search.top_n: Hits to return.'],
    ['DOCFUSE_SEARCH_TOP_N', '1000', 'DOCFUSE_SEARCH_TOP_N: ', 'search.top_n: '],
    ['DOCFUSE_SEARCH_MMR_ENABLED', 'yes', 'DOCFUSE_SEARCH_MMR_ENABLED: ', 'search.mmr_enabled: '],
  ])('%s=%s is refused', (name, value, message, remedy) => {
    const thrown = expect.objectContaining({
      code: 'config',
      message: expect.stringContaining(message),
      remedy: expect.stringContaining(remedy),
    });
    expect(() => loadConfig({ cwd: folder }, { [name]: value })).toThrow(thrown);
  });

  test('settings that do not go together are refused, wherever they come from', () => {
    const together = { DOCFUSE_CHUNKING_MIN_CHARS: '3000', DOCFUSE_CHUNKING_MAX_CHARS: '4000' };
    expect(loadConfig({ cwd: folder }, together).settings.chunking.min_chars).toBe(3000);
    expect(() => loadConfig({ cwd: folder }, { DOCFUSE_CHUNKING_MIN_CHARS: '3000' })).toThrow(
      /min_chars must not exceed max_chars \(chunking\.min_chars from DOCFUSE_CHUNKING_MIN_CHARS, chunking\.max_chars from default\)/,
    );
  });

  test('of settings of two files that do not go together both places are named', () => {
    withUserFile('[chunking]\nmax_chars = 400\n', () => {
      const project = join(folder, 'docfuse.toml');
      writeFileSync(project, '[search]\ntop_n = 3\n[chunking]\nmin_chars = 600\n');
      const user = join(folder, 'config', 'docfuse', 'docfuse.toml');
      expect(() => loadConfig({ cwd: folder }, {})).toThrow(
        `(chunking.min_chars from ${project}:4, chunking.max_chars from ${user}:2)`,
      );
      rmSync(project);
    });
  });

  test('every setting has a variable of its own', () => {
    const names = [...settingKeys().keys()].map(environmentName);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('DOCFUSE_SEARCH_ADVANCED_MIN_FACTOR');
  });
});
