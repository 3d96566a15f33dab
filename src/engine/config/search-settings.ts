/** The settings of a search as core reads them: camelCase, and `[search.advanced]` beside the others. */
import { camelKeys } from '../../core/model/camel-keys.ts';
import type { SearchSettings } from '../../core/model/search-settings.ts';
import type { Config } from './config.ts';
import type { PresetName } from './presets.ts';
import type { Settings } from './settings.ts';

/** Sections help people to read the file. Core has one flat list, so no name may occur in two sections. */
export function toSearchSettings({ search: { advanced, ...search } }: Settings): SearchSettings {
  const { score_calibration_threshold: threshold, score_calibration_steepness: steepness } = search;
  // Setting the curve of the sigmoid without a calibration selects the sigmoid.
  const meant = threshold === undefined && steepness === undefined ? 'evidence' : 'sigmoid';
  return {
    ...camelKeys(search),
    ...camelKeys(advanced),
    calibration: search.calibration ?? meant,
  };
}

/** Presets change only how an index is searched, so each search of an open index may choose its own. */
export function settingsByPreset(
  { settings, settingsUnder }: Config,
  given: PresetName | undefined,
): (preset: PresetName | undefined) => SearchSettings {
  const known = new Map([[given, toSearchSettings(settings)]]);
  return (preset = given) => {
    const found = known.get(preset) ?? toSearchSettings(settingsUnder(preset!));
    known.set(preset, found);
    return found;
  };
}
