/** `--set key=value`: any setting, for this call only. */
import { z } from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { SettingsOverride } from '../../engine/api.ts';
import { nearest } from '../../engine/nearest.ts';
import { settingsSchema } from '../../engine/settings.ts';

/**
 * Reads settings as typed: `search.fusion=rrf`, or `fusion=rrf` where only one section has that name; sections
 * nest, as in `search.advanced.min_factor=0.3`.
 * @throws {DocfuseError} `usage` naming the nearest setting, or the allowed values
 */
export function parseSettings(assignments: readonly string[]): SettingsOverride {
  const known = knownSettings();
  const override: Section = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const typed = assignment.slice(0, at < 0 ? undefined : at).trim();
    const key = resolveKey(typed, [...known.keys()]);
    if (at < 0) throw new DocfuseError('usage', `--set ${typed} has no value.`, `Write --set ${key}=VALUE.`);
    put(override, key.split('.'), toValue(assignment.slice(at + 1).trim(), known.get(key)));
  }
  const checked = settingsSchema.safeParse(override);
  if (checked.success) return override as SettingsOverride;
  const issue = checked.error.issues[0]!;
  const key = issue.path.join('.');
  throw new DocfuseError('usage', `--set ${key}: ${issue.message}.`, `${key}: ${describe(key)}`);
}

interface SettingSchema {
  readonly type?: string;
  /** Present where a value may be of several types. */
  readonly anyOf?: readonly SettingSchema[];
  readonly description?: string;
  /** Present on a section. */
  readonly properties?: Readonly<Record<string, SettingSchema>>;
}

/** Settings by name, and sections of them. */
interface Section {
  [name: string]: unknown;
}

/** Every setting as `section.name`, with its JSON Schema. */
function knownSettings(): Map<string, SettingSchema> {
  return new Map(flatten(z.toJSONSchema(settingsSchema, { io: 'input' }) as SettingSchema, ''));
}

function flatten({ properties = {} }: SettingSchema, prefix: string): [string, SettingSchema][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, SettingSchema][] =>
    schema.properties ? flatten(schema, `${prefix}${name}.`) : [[`${prefix}${name}`, schema]],
  );
}

function put(section: Section, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) section[name!] = value;
  else {
    section[name!] ??= {};
    put(section[name!] as Section, rest, value);
  }
}

function resolveKey(typed: string, known: readonly string[]): string {
  const matches = known.filter((key) => key === typed || key.endsWith(`.${typed}`));
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1) {
    throw new DocfuseError(
      'usage',
      `More than one setting is called ${typed}.`,
      `Say ${matches.join(' or ')}.`,
    );
  }
  const names = typed.includes('.') ? known : known.map((key) => key.slice(key.lastIndexOf('.') + 1));
  const suggestion = nearest(typed, new Set(names))[0] ?? names.find((name) => name.includes(typed));
  throw new DocfuseError(
    'usage',
    `There is no setting ${typed}.`,
    suggestion ? `Did you mean ${suggestion}?` : 'docs/reference/settings.md lists all of them.',
  );
}

function toValue(text: string, schema: SettingSchema | undefined): unknown {
  const types = [schema, ...(schema?.anyOf ?? [])].map((each) => each?.type);
  const isNumber = types.includes('number') || types.includes('integer');
  if (isNumber && text !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (schema?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function describe(key: string): string {
  return knownSettings().get(key)?.description ?? 'correct the value.';
}
