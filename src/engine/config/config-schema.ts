/** The schema of `docfuse.toml`: every key with its range, default and meaning. */
import * as z from 'zod';
import { READ_FILES } from '../../core/model/formats.ts';
import { MAX_GLOB_LENGTH } from '../../core/query/glob.ts';
import { LANGUAGE_CODES } from '../../core/text/languages.ts';
import { readPublishedAddress, refusedBy } from './published-address.ts';
import { settingsSchema } from './settings.ts';
import { isPlainFolder } from './trusted-folder.ts';

const COLLECTION_KINDS = ['folder', 'git'] as const;

const collectionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^/]+$/, 'it is empty or contains a /')
    .optional()
    .describe('Shown in document ids. Default: name of the folder, with `-commits` for `git`.'),
  path: z
    .string()
    .min(1)
    .describe(
      'Folder, file or ZIP archive, relative to the configuration file; an installed package, `npm:NAME` or `pypi:NAME`; or the address of an added web site.',
    ),
  kind: z
    .enum(COLLECTION_KINDS)
    .default('folder')
    .describe('`git` reads the commits of the repository there instead of its files.'),
  include: globs(READ_FILES, 'Globs of files to read.'),
  exclude: globs([], 'Globs of files to leave out.'),
  language: z
    .enum(LANGUAGE_CODES)
    .default('auto')
    .describe(
      'Language of the documents: selects stems and stop words, and splits words in languages without spaces. `auto` uses English stems, and pairs of characters for text without spaces.',
    ),
});

/** Glob syntax that docfuse does not support, such as `+(a|b)` and `{1..3}`. Read as plain characters, it would match nothing. */
const OTHER_GLOBS = /[@+?!*]\(|\{[^{},]*\.\.[^{},]*\}/;

function globs(otherwise: readonly string[], says: string) {
  return z
    .array(
      z
        .string()
        .max(MAX_GLOB_LENGTH)
        .refine(
          (glob) => !OTHER_GLOBS.test(glob),
          'docfuse does not support globs of this kind: write alternatives as {one,two}, and [(] for a parenthesis',
        ),
    )
    .default([...otherwise])
    .describe(says);
}

export const configSchema = settingsSchema.extend({
  trust: z
    .array(z.string().refine(isPlainFolder, 'it is not an absolute path, and does not begin with ~/'))
    .default([])
    .describe(
      'Trusted folders, with all folders inside them. Allowed in your own file only. The `docfuse.toml` of a trusted folder may set services, API keys, model folders, collections outside the folder, the index folder, and who may reach `docfuse serve`. Its git repository is read even if another user owns it, or if its `.git` leads outside the folder.',
    ),
  index_path: z
    .string()
    .superRefine(refusedBy(readPublishedAddress))
    .optional()
    .describe('Folder of the index, relative to the configuration file.'),
  collections: z.array(collectionSchema).default([]).describe('Folders to search.'),
});

export type ConfigFile = z.output<typeof configSchema>;

/** Returns the JSON Schema of `docfuse.toml`, for editors and other programs. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' });
  return { $schema, title: 'docfuse.toml', ...schema };
}

/** The part of JSON Schema that the configuration uses. */
export interface KeySchema {
  readonly type?: string;
  /** Present if a value may have several types. */
  readonly anyOf?: readonly KeySchema[];
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The keys of a section; absent on a single setting. */
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly items?: KeySchema;
}

/** Returns the names of the keys that the configuration allows at a path. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  let schema = configJsonSchema() as KeySchema;
  for (const step of path) {
    schema = (typeof step === 'number' ? schema.items : schema.properties?.[String(step)]) ?? {};
  }
  return Object.keys(schema.properties ?? {});
}
