/** Makes the answer of a search from the last state of its pipeline. */
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { Hit } from '../../core/model/hit.ts';
import type { SearchServices, SearchState } from '../../core/search/state.ts';
import type { IndexFacts, SearchResult } from '../api.ts';
import { createFileOf } from '../file-of.ts';
import { scriptNotRead } from '../model-advice.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';
import { describeLimits } from './describe-limits.ts';
import { lateReplica, noticeFor } from './notice.ts';
import { statsOf, weightsOf } from './state-facts.ts';

/** Facts for the answer that are not in the state of the pipeline. */
export interface ResultFacts {
  readonly index: IndexFacts;
  readonly query: string | undefined;
  readonly hypothesis: string | undefined;
  /** Facts about all documents; given only if no passage passes the filters and exclusions. */
  readonly catalog: Catalog | undefined;
  readonly collections: readonly Pick<OpenCollection, 'name' | 'kind' | 'root'>[];
  /** Why only words were searched; undefined if vectors were searched too, or not wanted. */
  readonly problem: string | undefined;
  /** Milliseconds from question to answer. */
  readonly milliseconds: number;
}

export function buildResult(
  state: SearchState,
  services: SearchServices,
  { query, hypothesis, problem, catalog, collections, index, milliseconds }: ResultFacts,
): SearchResult {
  const fileOf = createFileOf(collections);
  const withFile = (hit: Hit): Hit => {
    const file = fileOf(hit);
    return file === undefined ? hit : { ...hit, file };
  };
  const { models: _, behindSeconds: __, ...shown } = index;
  const { words } = services.retrieval;
  const notices = [
    lateReplica(index),
    noticeFor(state, services, catalog, index),
    scriptNotRead(state.request, words, index.model),
  ];
  if (state.request.explain) notices.push(...describeLimits(services.retrieval.capabilities));
  const notice = problem ?? notices.filter(Boolean).join(' ');
  return {
    ...(query === undefined ? {} : { query }),
    ...(hypothesis === undefined ? {} : { hypothesis }),
    mode: state.request.mode,
    ...(state.trace.some(({ stage }) => stage === 'classify') && { queryType: state.queryType }),
    ...(state.queryTypeReason !== undefined && { querySign: state.queryTypeReason }),
    weights: weightsOf(state),
    hits: state.hits.map(withFile),
    unsure: state.unsureHits.map(withFile),
    stats: statsOf(state),
    timingsMs: {
      ...Object.fromEntries(state.trace.map((stage) => [stage.stage, microseconds(stage.milliseconds)])),
      total: microseconds(milliseconds),
    },
    index: shown,
    ...(notice ? { notice } : {}),
  };
}

/** Rounds to microseconds: clocks are not more precise. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
