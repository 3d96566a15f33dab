/** Finds settings by their full names, such as `search.top_n`, and reads their values from the text of flags and variables. */
import * as z from 'zod';
import { isRecord } from '../../core/model/json.ts';
import type { KeySchema } from './config-schema.ts';
import { settingsSchema } from './settings.ts';

/** Values by name. A value belongs to a setting, or is a section: a tree of further values. */
export interface SettingsTree {
  readonly [name: string]: unknown;
}

/** Returns every setting as `section.name`, with its JSON Schema, in the order of the sections. */
export function settingKeys(): Map<string, KeySchema> {
  return new Map(flatten(z.toJSONSchema(settingsSchema, { io: 'input' }) as KeySchema, ''));
}

/** Returns the sections that have a setting of this name: `search` for `top_n`. */
export function sectionsWith(name: string): readonly string[] {
  return [...settingKeys().keys()]
    .filter((key) => key.endsWith(`.${name}`))
    .map((key) => key.slice(0, -name.length - 1));
}

/** Converts a text to the type of its setting: a number, a boolean, or a list separated by commas; else the text itself. */
export function settingValue(text: string, schema: KeySchema | undefined): unknown {
  const types = [schema, ...(schema?.anyOf ?? [])].map((each) => each?.type);
  const isNumber = types.includes('number') || types.includes('integer');
  if (isNumber && text !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (schema?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (schema?.type === 'array') return text === '' ? [] : text.split(',').map((part) => part.trim());
  return text;
}

/** Returns the value of a setting in a tree, by its full name or its path. */
export function valueAt(tree: object, key: string | readonly PropertyKey[]): unknown {
  const path = typeof key === 'string' ? key.split('.') : key.map(String);
  return path.reduce<unknown>((inner, name) => (inner as SettingsTree | undefined)?.[name], tree);
}

export function treeWith(key: string, value: unknown): SettingsTree {
  return key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as SettingsTree;
}

/** Merges `override` into `base`, section by section. A value that is not a section replaces the earlier value. */
export function mergeTrees(base: SettingsTree, override: SettingsTree): SettingsTree {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeTrees(before, value) : value;
  }
  return merged;
}

export function keysOf(tree: SettingsTree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    isRecord(value) ? keysOf(value, `${prefix}${name}.`) : value === undefined ? [] : [`${prefix}${name}`],
  );
}

function flatten({ properties = {} }: KeySchema, prefix: string): [string, KeySchema][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, KeySchema][] =>
    schema.properties ? flatten(schema, `${prefix}${name}.`) : [[`${prefix}${name}`, schema]],
  );
}
