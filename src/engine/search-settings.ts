/** The settings of a search as core reads them: camelCase, and `[search.advanced]` beside the others. */
import { camelKeys } from '../core/model/camel-keys.ts';
import type { SearchSettings } from '../core/model/search-settings.ts';
import type { Settings } from './settings.ts';

/** Sections are there to be read by people; core knows one flat list, so no name may stand in both. */
export function toSearchSettings({ search: { advanced, ...search } }: Settings): SearchSettings {
  return { ...camelKeys(search), ...camelKeys(advanced) };
}
