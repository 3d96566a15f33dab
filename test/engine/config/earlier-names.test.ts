/** Names of lanes and weights that any version of docs/reference/settings.md has documented, in a configuration file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { valueAt } from '../../../src/engine/config/setting-keys.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

function load(section: string, name: string, value: unknown) {
  writeFileSync(join(folder, 'docfuse.toml'), `[${section}]\n${name} = ${JSON.stringify(value)}\n`);
  return loadConfig({ cwd: folder }).settings;
}

/** A name is never taken out of this list: if a setting is renamed or moved, its row goes to `MOVED`. */
const UNDERSTOOD: readonly (readonly [section: string, name: string, value: unknown])[] = [
  ['search', 'semantic_weight', 3],
  ['search', 'keyword_weight', 3],
  ['search', 'document_weight', 3],
  ['search', 'subject_weight', 3],
  ['search', 'title_weight', 3],
  ['search', 'name_weight', 3],
  ['search', 'heading_weight', 3],
  ['search', 'nearness_weight', 3],
  ['search', 'code_search_enabled', false],
  ['search', 'code_search_weight', 3],
  ['search', 'graph_weight', 3],
  ['search', 'adaptive_weights_enabled', false],
  ['search', 'fusion', 'rrf'],
  ['search', 'rrf_k_constant', 30],
  ['search', 'recency_bias', 0.25],
  ['search', 'calibration', 'sigmoid'],
  ['search', 'score_calibration_threshold', 0.25],
  ['search', 'score_calibration_steepness', 4],
  ['search', 'evidence_threshold', -2],
  ['search', 'evidence_steepness', 4],
  ['search.advanced', 'candidates', 50],
  ['search.advanced', 'community_boost_factor', 1.5],
  ['search.advanced', 'community_detection_enabled', true],
  ['search.advanced', 'coverage_weights_enabled', false],
  ['search.advanced', 'dynamic_weights_enabled', true],
  ['search.advanced', 'variance_threshold', 0.05],
  ['search.advanced', 'min_factor', 0.25],
  ['search.advanced', 'feedback_weight', 0.25],
  ['search.advanced', 'graph_depth', 2],
  ['search.advanced', 'synonym_weight', 0.25],
];

test.each(UNDERSTOOD)('[%s] %s is understood', (section, name, value) => {
  expect(valueAt(load(section, name, value), `${section}.${name}`)).toBe(value);
});

const MOVED: readonly (readonly [section: string, name: string, value: unknown, remedy: string])[] = [
  ['search', 'candidates', 50, 'It belongs under [search.advanced].'],
  ['search', 'community_detection_enabled', true, 'It belongs under [search.advanced].'],
];

test.each(MOVED)('[%s] %s = %j is refused, with what replaces it', (section, name, value, remedy) => {
  expect(() => load(section, name, value)).toThrow(
    expect.objectContaining({
      code: 'config',
      message: `${join(folder, 'docfuse.toml')}:2 has an unknown key ${section}.${name}.`,
      remedy,
    }),
  );
});
