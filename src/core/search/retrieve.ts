/** Stage: asks every retriever that takes part. */
import type { Ranking } from '../model/hit.ts';
import { hasCodeSignal } from '../query/code.ts';
import { explainExpansion } from './expand-query.ts';
import { retrievalDepth } from './retrieval-depth.ts';
import type { SearchServices, SearchState } from './state.ts';
import { weighLanes } from './weigh-lanes.ts';

export async function retrieve(state: SearchState, services: SearchServices): Promise<SearchState> {
  const { query, filters, mode, settings, topN } = state.request;
  const depth = retrievalDepth(settings, topN);
  const wantsVector = services.embedQuery && query.plain && (mode === 'hybrid' || mode === 'semantic');
  const embedding = state.vector ?? (wantsVector ? services.embedQuery?.(query.plain) : undefined);
  const asksForCode = hasCodeSignal(query.text) || query.filters.lang?.length || filters.lang?.length;
  const code = mode === 'code' || (settings.codeSearchEnabled && !!asksForCode);
  // Words are looked up while another thread embeds the query.
  const [vector, words] = await Promise.all([embedding, byWords()]);
  const semantic = vector && (await services.semantic?.search({ parsed: query, vector }, depth, state.mask));
  // While no passage has a vector yet, words must not be weighed as if meaning had spoken against them.
  const available = { semantic: semantic !== undefined && semantic.entries.length > 0, code, graph: false };
  const weights = weighLanes(mode, settings, available, state.constants);

  const rankings: Ranking[] = [];
  if (semantic && weights.fusion.semantic) rankings.push(explainExpansion(semantic, state));
  rankings.push(...words);
  return { ...state, weights, rankings };

  async function byWords(): Promise<readonly Ranking[]> {
    // Asked for while meaning is still unknown; which lanes by words take part does not depend on it.
    const { fusion } = weighLanes(mode, settings, { semantic: false, code, graph: false }, state.constants);
    const asked = [services.keyword, services.code].filter(({ name }) => fusion[name]);
    return Promise.all(asked.map((each) => each.search({ parsed: query }, depth, state.mask)));
  }
}
