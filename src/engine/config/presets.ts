/** Presets: named search settings for a kind of documents. They never change indexing. */
import type { SettingsOverride } from './settings.ts';

export const PRESET_NAMES = ['general', 'api', 'notes', 'research'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** A preset overrides the configuration file, and the settings of a call override the preset. */
export const PRESETS: Readonly<Record<PresetName, SettingsOverride>> = {
  general: {},
  /** Reference pages: exact names matter, several passages of a page may answer, and age does not matter. */
  api: { search: { keyword_weight: 1.5, code_search_weight: 2, recency_bias: 0, max_chunks_per_doc: 4 } },
  /** A personal vault: links matter, and the newest notes are wanted most often. */
  notes: { search: { recency_bias: 1, graph_weight: 1 } },
  /** Literature on a subject: meaning matters more than words, hits are diverse, and age does not matter. */
  research: { search: { semantic_weight: 1.5, recency_bias: 0, top_n: 15, mmr_enabled: true } },
};
