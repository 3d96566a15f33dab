/** Converts search settings to the form that core reads: one flat list in camelCase, with `[search.advanced]` merged in. */
import { camelKeys } from '../../core/model/camel-keys.ts';
import type { SearchSettings } from '../../core/model/search-settings.ts';
import { memoize } from '../../core/text/memoize.ts';
import type { Config } from './config.ts';
import type { PresetName } from './presets.ts';
import type { Settings } from './settings.ts';

/** Names must be unique across `[search]` and `[search.advanced]`, because both become one list. */
export function toSearchSettings({ search: { advanced, ...search } }: Settings): SearchSettings {
  const { score_calibration_threshold: threshold, score_calibration_steepness: steepness } = search;
  // If `calibration` is not set, but a parameter of the sigmoid is, the sigmoid is used.
  const meant = threshold === undefined && steepness === undefined ? 'evidence' : 'sigmoid';
  return { ...camelKeys(search), ...camelKeys(advanced), calibration: search.calibration ?? meant };
}

/** Returns a function from preset to search settings. Presets never change the index, so each search may choose a preset. */
export function settingsByPreset({ settings, settingsUnder }: Config, given: PresetName | undefined) {
  const known = new Map([[given, toSearchSettings(settings)]]);
  const settingsOf = memoize((preset) => toSearchSettings(settingsUnder(preset!)), known);
  return (preset = given) => settingsOf(preset);
}
