/** Operations on the configuration: `config`, `config_schema` and `config_init`. */
import * as z from 'zod';
import { requireRoot } from '../../engine/check-roots.ts';
import { defineOperation } from './operation.ts';
import { flag, listOf } from './shapes.ts';

const originShape = z.strictObject({
  /** As in engine/config/config.ts. Each source overrides those before it. */
  source: z.enum(['default', 'user', 'project', 'environment', 'preset', 'call']),
  where: z.string().optional().describe('file:line, environment variable, or name of the preset.'),
});

export const configSettings = defineOperation({
  name: 'config',
  summary: 'Show the settings in effect, and where each comes from',
  output: () => ({
    files: listOf({
      file: z.string(),
      role: z.enum(['user', 'project']),
      trusted: z.boolean().describe('Whether all its settings are used.'),
    }).describe('Configuration files that were read. A later file overrides an earlier one.'),
    left_out: z
      .strictObject({
        keys: z
          .array(z.string())
          .describe('Settings that were left out, such as embedding.base_url and collections.0.path.'),
        message: z.string(),
        remedy: z.string(),
      })
      .optional()
      .describe('Settings of an untrusted file that are ignored: only a trusted file may set them.'),
    index_path: z.string(),
    index_path_origin: originShape,
    collections_origin: originShape,
    collections: listOf({
      name: z.string(),
      root: z.string(),
      kind: z.enum(['folder', 'corpus', 'git']),
      include: z.array(z.string()),
      exclude: z.array(z.string()),
      language: z.string(),
    }),
    settings: listOf({
      key: z.string(),
      value: z.unknown().optional().describe('Absent if the setting has no value.'),
      ...originShape.shape,
    }),
  }),
  readOnly: true,
  cli: { paths: true },
  async run({ options }) {
    const { locateIndex } = await import('../../engine/config/locate-index.ts');
    const { settingKeys, valueAt } = await import('../../engine/config/setting-keys.ts');
    const { indexPath, config } = locateIndex(options);
    const { files, leftOut, collections, settings, origins, places } = config;
    for (const { root } of collections) requireRoot(root);
    return {
      files,
      index_path: indexPath,
      index_path_origin: places.indexPath,
      ...(leftOut && { left_out: leftOut }),
      collections_origin: places.collections,
      collections: collections.map(({ trusted: _trusted, ...collection }) => collection),
      settings: [...settingKeys().keys()].map((key) => {
        const value = valueAt(settings, key);
        const origin = origins.get(key) ?? ({ source: 'default' } as const);
        return { key, ...(value !== undefined && { value }), ...origin };
      }),
    };
  },
});

export const configSchema = defineOperation({
  name: 'config_schema',
  summary: 'Print the JSON Schema of docfuse.toml',
  input: () => ({ schema: flag('Print the JSON Schema of docfuse.toml instead.') }),
  output: () => ({ schema: z.record(z.string(), z.unknown()) }),
  readOnly: true,
  cli: { standalone: true, optionOf: { operation: 'config', field: 'schema' } },
  async run() {
    const { configJsonSchema } = await import('../../engine/config/config-schema.ts');
    return { schema: configJsonSchema() };
  },
});

export const configInit = defineOperation({
  name: 'config_init',
  summary: 'Write a commented docfuse.toml into a folder',
  description:
    'The file contains every setting with its meaning and default, commented out. An existing file is not changed.',
  input: () => ({
    folder: z.string().optional().describe('Folder to write to (default: the working directory).'),
  }),
  output: () => ({ file: z.string() }),
  readOnly: false,
  cli: { command: ['config', 'init'], arguments: ['folder'], standalone: true },
  async run({ options }, { folder = '.' }) {
    const { writeConfig } = await import('../../engine/config/write-config.ts');
    return { file: writeConfig(folder, options.cwd ?? process.cwd()) };
  },
});
