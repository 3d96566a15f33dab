/** Writes a first `docfuse.toml`: every setting with its meaning and its default, commented out. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { CONFIG_FILE } from './config-file.ts';
import { configJsonSchema, type KeySchema } from './config-schema.ts';

/**
 * @returns absolute path of the file
 * @throws DocfuseError `config` if the file exists already, `storage` if the folder cannot be written
 */
export function writeConfig(folder: string, cwd: string): string {
  const file = join(resolve(cwd, folder), CONFIG_FILE);
  try {
    writeFileSync(file, configText(), { flag: 'wx' });
    return file;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') {
      throw new DocfuseError('config', `${file} exists already.`, 'Edit it, or move it away first.');
    }
    throw new DocfuseError(
      'storage',
      `${file} cannot be written (${code}).`,
      'Choose an existing folder that you may write.',
    );
  }
}

/** Makes the text of the file. Removing the `# ` before a key with a value changes nothing: the value is the default. */
export function configText(): string {
  const { properties = {} } = configJsonSchema() as KeySchema;
  const { collections, index_path, trust: _ofTheUser, ...sections } = properties;
  return [
    '# Settings of docfuse. Lines that begin with # and a key show the default.',
    '',
    ...keyLines('index_path', index_path ?? {}),
    `# ${collections?.description ?? ''} Paths are relative to this file.`,
    '[[collections]]',
    'path = "."',
    ...Object.entries(collections?.items?.properties ?? {}).flatMap(([name, schema]) =>
      name === 'path' ? [] : keyLines(name, schema),
    ),
    ...Object.entries(sections).flatMap(([name, schema]) => sectionLines(name, schema)),
    '',
  ].join('\n');
}

function sectionLines(name: string, { properties = {} }: KeySchema): string[] {
  const entries = Object.entries(properties);
  return [
    '',
    `[${name}]`,
    ...entries.flatMap(([key, schema]) => (schema.properties ? [] : keyLines(key, schema))),
    ...entries.flatMap(([key, schema]) => (schema.properties ? sectionLines(`${name}.${key}`, schema) : [])),
  ];
}

function keyLines(key: string, schema: KeySchema): string[] {
  const value = schema.default === undefined ? '' : ` ${JSON.stringify(schema.default)}`;
  return [`# ${schema.description ?? ''}`, `# ${key} =${value}`];
}
