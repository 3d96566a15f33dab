/** `--set key=value`: any setting, for this call only. */
import { z } from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { SettingsOverride } from '../../engine/api.ts';
import { nearest } from '../../engine/nearest.ts';
import { settingsSchema } from '../../engine/settings.ts';

/**
 * Reads settings as typed: `search.fusion=rrf`, or `fusion=rrf` where only one section has that name.
 * @throws {DocfuseError} `usage` naming the nearest setting, or the allowed values
 */
export function parseSettings(assignments: readonly string[]): SettingsOverride {
  const known = knownSettings();
  const override: Record<string, Record<string, unknown>> = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const typed = assignment.slice(0, at < 0 ? undefined : at).trim();
    const key = resolveKey(typed, [...known.keys()]);
    if (at < 0) throw new DocfuseError('usage', `--set ${typed} has no value.`, `Write --set ${key}=VALUE.`);
    const [section, name] = key.split('.') as [string, string];
    override[section] = {
      ...override[section],
      [name]: toValue(assignment.slice(at + 1).trim(), known.get(key)),
    };
  }
  const checked = settingsSchema.safeParse(override);
  if (checked.success) return override as SettingsOverride;
  const issue = checked.error.issues[0]!;
  const key = issue.path.join('.');
  throw new DocfuseError('usage', `--set ${key}: ${issue.message}.`, `${key}: ${describe(key)}`);
}

interface SettingSchema {
  readonly type?: string;
  readonly description?: string;
}

/** Every setting as `section.name`, with its JSON Schema. */
function knownSettings(): Map<string, SettingSchema> {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input' }) as {
    readonly properties: Readonly<
      Record<string, { readonly properties: Readonly<Record<string, SettingSchema>> }>
    >;
  };
  return new Map(
    Object.entries(schema.properties).flatMap(([section, { properties }]) =>
      Object.entries(properties).map(([name, setting]) => [`${section}.${name}`, setting] as const),
    ),
  );
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
  const names = typed.includes('.') ? known : known.map((key) => key.slice(key.indexOf('.') + 1));
  const [suggestion] = nearest(typed, new Set(names));
  throw new DocfuseError(
    'usage',
    `There is no setting ${typed}.`,
    suggestion ? `Did you mean ${suggestion}?` : `Settings: ${known.join(', ')}.`,
  );
}

function toValue(text: string, schema: SettingSchema | undefined): unknown {
  const isNumber = schema?.type === 'number' || schema?.type === 'integer';
  if (isNumber && text !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (schema?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function describe(key: string): string {
  return knownSettings().get(key)?.description ?? 'correct the value.';
}
