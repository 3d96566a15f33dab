/** Stage: adds documents that are linked with the candidates, as a separate lane. */
import { type Contribution, type LinkScores, value, walkLinks } from '../graph/walk-links.ts';
import { type Found, joinCandidates } from '../model/candidates.ts';
import { type Explanation, leaves } from '../model/hit.ts';
import type { Neighbourhood } from '../retrieval/retrieval.ts';
import { compareText } from '../text/compare-text.ts';
import { retrievalDepth, votingDepth } from './retrieve.ts';
import type { SearchServices, SearchState } from './state.ts';
import { weighLane } from './weigh-lanes.ts';

/** Number of links that an explanation shows; the others are summed up in one part. */
const SHOWN = 5;

export async function followLinks(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { asked } = state;
  const { settings, mode, hypothesis } = state.request;
  if (!asked || !retrieval.neighbours || mode !== 'hybrid' || hypothesis !== undefined) return state;
  if (settings.graphWeight === 0) return state;
  const seeds = votes(state);
  const documents = await neighbourhoods(seeds, settings.graphDepth, (numbers) =>
    retrieval.neighbours!(asked, numbers),
  );
  const unlinked: ReadonlyMap<number, number> = new Map();
  const neighboursOf = (document: number) => documents.get(document)?.links ?? unlinked;
  const isNarrow = state.found.passing !== undefined;
  const admits = (document: number) => !isNarrow || (documents.get(document)?.passes ?? false);
  const links = walkLinks(seeds, neighboursOf, settings.graphDepth, admits);
  const reached = bestDocuments(links, documents, retrievalDepth(settings, state.request.topN));
  if (reached.length === 0) return state;
  const numbers = reached.map(([document]) => document);
  const passages = await retrieval.bestPassages(asked, numbers);
  const found = joinCandidates(state.found, passages);
  const fusion = { ...state.weights.fusion, graph: weighLane('graph', settings, state.constants) };
  return {
    ...state,
    // A link shows where to look, not that the answer is there: confidence does not use links.
    weights: { ...state.weights, fusion },
    found: { ...found, lanes: { ...found.lanes, graph: graphLane(found, passages.slots, links, reached) } },
    walk: { links, documents },
  };
}

/**
 * Returns the votes that each document passes on along its links: `Σ 1 / (offset + rank)` over the semantic and the keyword lane.
 * Documents are ranked by their best passage.
 */
function votes({ found, request, constants }: SearchState): Map<number, number> {
  const { rankOffset } = constants.links;
  const seeds = new Map<number, number>();
  // A search for more hits gets more candidates from the lanes, but must get the same votes.
  const depth = votingDepth(request.settings, request.topN);
  for (const lane of ['semantic', 'keyword'] as const) {
    const ranked = new Set<number>();
    for (const place of found.lanes[lane]?.ranked.slice(0, depth) ?? []) {
      const document = found.documents[place]!;
      if (document < 0 || ranked.has(document)) continue;
      ranked.add(document);
      seeds.set(document, (seeds.get(document) ?? 0) + 1 / (rankOffset + ranked.size));
    }
  }
  return seeds;
}

/** By document. */
type Neighbourhoods = ReadonlyMap<number, Neighbourhood>;

/** Reads all documents that a walk can reach, one batch per step. The links of the last batch are not followed. */
async function neighbourhoods(
  seeds: ReadonlyMap<number, number>,
  depth: number,
  ask: (documents: readonly number[]) => ReturnType<NonNullable<SearchServices['retrieval']['neighbours']>>,
): Promise<Neighbourhoods> {
  const known = new Map<number, Neighbourhood>();
  let wanted = [...seeds.keys()];
  for (let step = 0; wanted.length > 0; step++) {
    const told = await ask(wanted);
    for (const each of told) known.set(each.document, each);
    if (step === depth) break;
    const linked = new Set<number>();
    for (const { links } of told)
      for (const document of links.keys()) if (!known.has(document)) linked.add(document);
    wanted = [...linked];
  }
  return known;
}

type Reached = readonly [document: number, score: number];

/** Returns the `depth` best documents that pass the filters. Equal scores are ordered by document id. */
function bestDocuments({ scores }: LinkScores, documents: Neighbourhoods, depth: number): readonly Reached[] {
  const idOf = (document: number) => documents.get(document)?.id ?? '';
  const passing = [...scores].filter(([document]) => documents.get(document)?.passes);
  // A walk reaches thousands of documents: only those that can be among the best are ordered by id.
  const min =
    Float64Array.from(passing, ([, score]) => score)
      .sort()
      .at(-depth) ?? 0;
  return passing
    .filter(([, score]) => score >= min)
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareText(idOf(a), idOf(b)))
    .slice(0, depth);
}

/** Gives every passage the score of its document. */
function graphLane(
  { slots, documents }: Found,
  brought: readonly number[],
  { scores }: LinkScores,
  reached: readonly Reached[],
): NonNullable<Found['lanes']['graph']> {
  const places = new Map(slots.map((slot, place) => [slot, place]));
  return {
    scores: Float64Array.from(documents, (document) => scores.get(document) ?? 0),
    ranked: brought.map((slot) => places.get(slot)!),
    best: reached[0]![1],
  };
}

/** Explains the score of a document in the link lane: the votes that it got through links, the highest first. */
export function explainLinks(
  document: number,
  { links, documents }: NonNullable<SearchState['walk']>,
): Explanation {
  const contributions = links.contributionsTo(document);
  const rest = contributions.slice(SHOWN);
  const parts = contributions.slice(0, SHOWN).map((part) => explainLink(part, documents));
  if (rest.length > 0) {
    const others = rest.reduce((sum, part) => sum + value(part), 0);
    parts.push({ label: `other links (${rest.length})`, value: others });
  }
  return { label: 'graph', value: links.scores.get(document) ?? 0, parts };
}

function explainLink(part: Contribution, documents: Neighbourhoods): Explanation {
  return {
    label: `link with ${documents.get(part.from)?.id ?? ''}`,
    value: value(part),
    parts: leaves({
      'votes of that document': part.score,
      'weight of the link': part.weight,
      'links of that document': part.degrees[0],
      'links of this document': part.degrees[1],
    }),
  };
}
