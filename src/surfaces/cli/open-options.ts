/** Makes the options for opening an index from the paths and the shared options of a command. */
import { DocfuseError } from '../../core/errors.ts';
import { defined } from '../../core/model/defined.ts';
import type { OpenOptions, SettingsOverride } from '../../engine/api.ts';
import { PLAINLY } from '../../engine/config/describe-issue.ts';
import {
  mergeTrees,
  type SettingsTree,
  settingKeys,
  settingValue,
  treeWith,
} from '../../engine/config/setting-keys.ts';
import { settingsSchema } from '../../engine/config/settings.ts';
import { didYouMean, nearest } from '../../engine/nearest.ts';
import type { SharedOptions } from './shared-options.ts';

export function toOpenOptions(paths: readonly string[], { index, config, set }: SharedOptions): OpenOptions {
  const roots = paths.length > 0 ? paths : undefined;
  return defined({ roots, indexPath: index, config, settings: set && parseSettings(set) });
}

/** Min length of an unknown name for which settings that contain the name are suggested. */
const MIN_PART = 3;

/**
 * Reads the values of `--set`: `search.fusion=rrf`, or `fusion=rrf` if only one section has that name. Sections nest, as in
 * `search.advanced.min_factor=0.3`.
 * @throws {DocfuseError} `usage` naming the nearest setting, or the allowed values
 */
export function parseSettings(assignments: readonly string[]): SettingsOverride {
  const known = settingKeys();
  let override: SettingsTree = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const typed = assignment.slice(0, at < 0 ? undefined : at).trim();
    const key = resolveKey(typed, [...known.keys()]);
    if (at < 0) throw new DocfuseError('usage', `--set ${typed} has no value.`, `Write --set ${key}=VALUE.`);
    const value = settingValue(assignment.slice(at + 1).trim(), known.get(key));
    override = mergeTrees(override, treeWith(key, value));
  }
  const checked = settingsSchema.safeParse(override, PLAINLY);
  if (checked.success) return override as SettingsOverride;
  const issue = checked.error.issues[0]!;
  const key = issue.path.join('.');
  const meaning = known.get(key)?.description ?? 'correct the value.';
  throw new DocfuseError('usage', `--set ${key}: ${issue.message}.`, `${key}: ${meaning}`);
}

function resolveKey(typed: string, known: readonly string[]): string {
  const matches = known.filter((key) => key === typed || key.endsWith(`.${typed}`));
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1) {
    throw new DocfuseError(
      'usage',
      `More than one setting is called ${typed}.`,
      `Write ${matches.join(' or ')}.`,
    );
  }
  const names = typed.includes('.') ? known : known.map((key) => key.slice(key.lastIndexOf('.') + 1));
  const holding = names.filter((name) => typed.length >= MIN_PART && name.includes(typed));
  const meant = (holding.length > 0 ? holding : nearest(typed, new Set(names))).slice(0, 1);
  throw new DocfuseError(
    'usage',
    `There is no setting ${typed}.`,
    didYouMean(meant, 'docfuse config lists all settings.'),
  );
}
