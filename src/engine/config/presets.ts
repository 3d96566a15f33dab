/** Presets: settings that suit a kind of documents, by name. They change search, never indexing. */
import type { SettingsOverride } from './settings.ts';

export const PRESET_NAMES = ['general', 'api', 'notes', 'research'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** Laid over the configuration file, and under the settings of a call. */
export const PRESETS: Readonly<Record<PresetName, SettingsOverride>> = {
  /** The file and the defaults as they are. */
  general: {},
  /** Reference pages: names must be met exactly, one page answers in several places, and age says nothing. */
  api: { search: { keyword_weight: 1.5, code_search_weight: 2, recency_bias: 0, max_chunks_per_doc: 4 } },
  /** A vault of one's own: links carry meaning, and what was written last is most often meant. */
  notes: { search: { recency_bias: 1, graph_weight: 1 } },
  /** Reading into a subject: by meaning, from many sides, old papers as good as new ones. */
  research: { search: { semantic_weight: 1.5, recency_bias: 0, top_n: 15, mmr_enabled: true } },
};
