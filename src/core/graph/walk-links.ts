/** Spreads scores of documents along links, so that what good candidates point at is found, too. */

/** Factor for each further link between two documents. */
const HOP_DAMPING = 0.5;

/** The documents linked to one, with the weight of the link; see `LinkGraph`. */
export type Neighbours = (document: number) => ReadonlyMap<number, number>;

/** One summand of a document's graph score. */
export interface Contribution {
  /** The document the score came from, one link away. */
  readonly from: number;
  readonly score: number;
  /** Links of the giving document, of the receiving one. */
  readonly degrees: readonly [number, number];
  /** Weight of the link, damping of the hop included. */
  readonly weight: number;
}

export interface LinkScores {
  /** Scores of the documents reached, each above 0. */
  readonly scores: ReadonlyMap<number, number>;
  /** The summands of one document's score, the largest first. */
  readonly contributionsTo: (document: number) => readonly Contribution[];
}

/**
 * `Σ score · weight / √(degree · degree)` over the seeds one link away, degrees being those of both ends, so that a
 * hub neither floods its neighbours nor gathers from all of them. Further hops start from the documents of the hop
 * before, halved, and reach only documents that no shorter way leads to.
 * @param seeds scores by document, above 0
 * @param depth links to follow, 1–3
 * @param admits documents that may be reached, and gone on from. @default all
 */
export function walkLinks(
  seeds: ReadonlyMap<number, number>,
  neighbours: Neighbours,
  depth: number,
  admits: (document: number) => boolean = () => true,
): LinkScores {
  const scores = new Map<number, number>();
  /** The hop that gave a document its score. */
  const givers = new Map<number, Hop>();
  let hop: Hop = { scores: seeds, damping: 1 };
  for (let step = 0; step < depth; step += 1) {
    const reached = spread(
      hop.scores,
      neighbours,
      hop.damping,
      (document) => (step === 0 || !(scores.has(document) || seeds.has(document))) && admits(document),
    );
    for (const [document, score] of reached) {
      scores.set(document, score);
      givers.set(document, hop);
    }
    hop = { scores: reached, damping: HOP_DAMPING };
  }
  return {
    scores,
    contributionsTo(document) {
      const giver = givers.get(document);
      if (!giver) return [];
      const degree = neighbours(document).size;
      return [...neighbours(document)]
        .flatMap(([from, link]): Contribution[] => {
          const score = giver.scores.get(from);
          if (score === undefined) return [];
          return [{ from, score, degrees: [neighbours(from).size, degree], weight: link * giver.damping }];
        })
        .sort((a, b) => value(b) - value(a) || a.from - b.from);
    },
  };
}

/** The value that a contribution adds. */
export function value({ score, weight, degrees: [giving, receiving] }: Contribution): number {
  return (score * weight) / Math.sqrt(giving * receiving);
}

interface Hop {
  readonly scores: ReadonlyMap<number, number>;
  readonly damping: number;
}

function spread(
  from: ReadonlyMap<number, number>,
  neighbours: Neighbours,
  damping: number,
  takes: (document: number) => boolean,
): Map<number, number> {
  const reached = new Map<number, number>();
  for (const [document, score] of from) {
    const linked = neighbours(document);
    for (const [other, weight] of linked) {
      if (!takes(other)) continue;
      const degrees = [linked.size, neighbours(other).size] as const;
      const added = value({ from: document, score, weight: weight * damping, degrees });
      reached.set(other, (reached.get(other) ?? 0) + added);
    }
  }
  return reached;
}
