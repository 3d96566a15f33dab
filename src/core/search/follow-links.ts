/** Stage: adds the documents that the candidates link to, or are linked from, as a ranking of their own. */
import { type Contribution, type LinkScores, value, walkLinks } from '../graph/walk-links.ts';
import { createTopK } from '../indexes/top-k.ts';
import type { Explanation, Ranked, Ranking } from '../model/hit.ts';
import { retrievalDepth, votingDepth } from './retrieval-depth.ts';
import type { SearchServices, SearchState } from './state.ts';
import { weighLane } from './weigh-lanes.ts';

/** Parts shown of a sum over many links. */
const SHOWN = 5;

export function followLinks(state: SearchState, services: SearchServices): SearchState {
  const { settings, mode, hypothesis } = state.request;
  const { links } = services;
  if (!links || mode !== 'hybrid' || hypothesis !== undefined || settings.graphWeight === 0) return state;
  const seeds = votes(state, services);
  const { mask } = state;
  const admits = (document: number) =>
    mask === undefined || services.catalog.slotsOf(document).some((slot) => mask[slot] === 1);
  const walked = walkLinks(seeds, links().neighbours, settings.graphDepth, admits);
  const entries = bestChunks(walked, state, services);
  if (entries.length === 0) return state;
  const graph: Ranking = {
    lane: 'graph',
    entries,
    best: entries[0]?.score ?? 0,
    scoreOf: (slot) => walked.scores.get(services.catalog.documentOf(slot)?.number ?? -1) ?? 0,
    explain: (slot) => explainLinks(slot, walked, services),
  };
  const fusion = { ...state.weights.fusion, graph: weighLane('graph', settings, state.constants) };
  // Links say where to look, not that the answer is there: they are no part of the evidence.
  return { ...state, weights: { ...state.weights, fusion }, rankings: [...state.rankings, graph] };
}

/** `Σ 1 / (offset + rank)` of each document's best chunk in the rankings by meaning and by words. */
function votes(
  { rankings, request, constants }: SearchState,
  { catalog }: SearchServices,
): Map<number, number> {
  const { rankOffset } = constants.links;
  const seeds = new Map<number, number>();
  // A longer answer asks deeper; the votes must not differ for it.
  const depth = votingDepth(request.settings, request.topN);
  for (const { lane, entries } of rankings) {
    if (lane !== 'semantic' && lane !== 'keyword') continue;
    const ranked = new Set<number>();
    for (const { slot } of entries.slice(0, depth)) {
      const document = catalog.documentOf(slot)?.number;
      if (document === undefined || ranked.has(document)) continue;
      ranked.add(document);
      seeds.set(document, (seeds.get(document) ?? 0) + 1 / (rankOffset + ranked.size));
    }
  }
  return seeds;
}

/** For each document reached, the allowed chunk that answers this query best; as many as any retriever gives. */
function bestChunks(
  { scores }: LinkScores,
  { request, rankings, mask }: SearchState,
  { catalog }: SearchServices,
): readonly Ranked[] {
  const idOf = (document: number) => catalog.document(document)?.id ?? '';
  const isAllowed = (slot: number) => mask === undefined || mask[slot] === 1;
  const top = createTopK(retrievalDepth(request.settings, request.topN), idOf);
  for (const [document, score] of scores) {
    if (catalog.slotsOf(document).some(isAllowed)) top.offer(document, score);
  }
  const relevance = relevanceIn(rankings);
  return top.ranked().map(({ slot: document, score }) => {
    const allowed = catalog.slotsOf(document).filter(isAllowed);
    return { slot: bestOf(allowed, relevance, catalog), score };
  });
}

/** The most relevant of at least one; equal ones are ordered by chunk id. */
function bestOf(
  slots: readonly number[],
  relevance: (slot: number) => number,
  { idOf }: SearchServices['catalog'],
): number {
  let [best, most] = [slots[0]!, relevance(slots[0]!)];
  for (const slot of slots.slice(1)) {
    const score = relevance(slot);
    if (score > most || (score === most && idOf(slot) < idOf(best))) [best, most] = [slot, score];
  }
  return best;
}

/** The sum of a chunk's scores by meaning and by words, each against the best of the query. */
function relevanceIn(rankings: readonly Ranking[]): (slot: number) => number {
  const lanes = rankings.filter(({ lane }) => lane === 'semantic' || lane === 'keyword');
  const scales = lanes.map(({ entries, median = 0, scoreOf, approximateScoreOf = scoreOf }) => {
    const span = (entries[0]?.score ?? 0) - median || 1;
    // Choosing among chunks needs no more than the 8-bit cosine; the chosen one is scored exactly.
    return (slot: number) => (approximateScoreOf(slot) - median) / span;
  });
  return (slot) => scales.reduce((sum, scale) => sum + scale(slot), 0);
}

function explainLinks(slot: number, walked: LinkScores, { catalog }: SearchServices): Explanation {
  const document = catalog.documentOf(slot)?.number ?? -1;
  const contributions = walked.contributionsTo(document);
  const rest = contributions.slice(SHOWN);
  const parts = contributions.slice(0, SHOWN).map((part) => explainLink(part, catalog));
  if (rest.length > 0) {
    parts.push({
      label: `${rest.length} more links`,
      value: rest.reduce((sum, part) => sum + value(part), 0),
    });
  }
  return { label: 'graph', value: walked.scores.get(document) ?? 0, parts };
}

function explainLink(part: Contribution, catalog: SearchServices['catalog']): Explanation {
  return {
    label: `link with ${catalog.document(part.from)?.id ?? ''}`,
    value: value(part),
    parts: [
      { label: 'its votes', value: part.score },
      { label: 'weight of the link', value: part.weight },
      { label: 'links it has', value: part.degrees[0] },
      { label: 'links of this document', value: part.degrees[1] },
    ],
  };
}
