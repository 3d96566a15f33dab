/** Settings from environment variables: `search.top_n` is `DOCFUSE_SEARCH_TOP_N`. */
import { DocfuseError } from '../../core/errors.ts';
import { nearest } from '../nearest.ts';
import { PLAINLY } from './describe-issue.ts';
import type { Environment } from './places.ts';
import { mergeTrees, type SettingsTree, settingKeys, settingValue, treeWith } from './setting-keys.ts';
import { settingsSchema } from './settings.ts';

const PREFIX = 'DOCFUSE_';

export function environmentName(key: string): string {
  return PREFIX + key.replaceAll('.', '_').toUpperCase();
}

/**
 * Reads the settings of environment variables. Empty variables are ignored.
 * @throws DocfuseError `config` for a variable with an unknown setting or a wrong value
 */
export function environmentSettings(env: Environment): SettingsTree {
  const sections = Object.keys(settingsSchema.shape).map((section) => `${environmentName(section)}_`);
  const given = Object.entries(env).filter(([name]) => sections.some((section) => name.startsWith(section)));
  if (given.length === 0) return {};
  const known = new Map([...settingKeys()].map(([key, schema]) => [environmentName(key), { key, schema }]));
  let tree: SettingsTree = {};
  for (const [name, text] of given) {
    if (!text) continue;
    const setting = known.get(name);
    if (!setting) {
      const [suggestion] = nearest(name, known.keys());
      throw new DocfuseError(
        'config',
        `There is no setting for the environment variable ${name}.`,
        suggestion ? `Did you mean ${suggestion}?` : 'Unset it, or see docs/reference/settings.md.',
      );
    }
    const one = treeWith(setting.key, settingValue(text.trim(), setting.schema));
    // Only issues of this setting: checks across settings of a section run later, when all settings are known.
    const issues = settingsSchema.safeParse(one, PLAINLY).error?.issues ?? [];
    const wrong = issues.find(
      ({ path }) => path.slice(0, setting.key.split('.').length).join('.') === setting.key,
    );
    if (wrong) {
      throw new DocfuseError(
        'config',
        `${name}: ${wrong.message}.`,
        `${setting.key}: ${setting.schema.description}`,
      );
    }
    tree = mergeTrees(tree, one);
  }
  return tree;
}
