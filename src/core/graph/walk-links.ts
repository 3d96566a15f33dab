/** Passes scores of documents along links, so that documents linked with good candidates are found too. */

/** Factor for the scores of each hop after the first. */
const HOP_DAMPING = 0.5;

/** Returns the documents linked to a document, with the weights of the links; see `LinkGraph`. */
export type Neighbours = (document: number) => ReadonlyMap<number, number>;

/** One term of the sum that is a document's graph score. */
export interface Contribution {
  /** The document that gave the score, one link away. */
  readonly from: number;
  readonly score: number;
  /** Numbers of links of the document that gave the score, and of the document that received it. */
  readonly degrees: readonly [number, number];
  /** Weight of the link, multiplied by the damping of the hop. */
  readonly weight: number;
}

export type LinkScores = ReturnType<typeof walkLinks>;

/**
 * Scores documents by their links: `Σ score · weight / √(degree · degree)` over the linked seeds. A degree is the number of links
 * of a document. Dividing by both degrees makes a document with many links give and receive little. Each further hop starts from
 * the documents of the previous hop, multiplies scores by 0.5, and skips seeds and documents that have a score.
 * @param seeds scores by document, above 0
 * @param depth number of links to follow, 1–3
 * @param admits whether a document may get a score and pass it on. @default all
 */
export function walkLinks(
  seeds: ReadonlyMap<number, number>,
  neighbours: Neighbours,
  depth: number,
  admits: (document: number) => boolean = () => true,
) {
  /** Scores of the documents reached, each above 0. */
  const scores = new Map<number, number>();
  const hops: Hop[] = [];
  let [from, damping] = [seeds, 1];
  for (let step = 0; step < depth; step += 1) {
    const takes = (document: number) =>
      (step === 0 || !(scores.has(document) || seeds.has(document))) && admits(document);
    const reached = spread(from, neighbours, damping, takes);
    hops.push({ from, reached, damping });
    for (const [document, score] of reached) scores.set(document, score);
    [from, damping] = [reached, HOP_DAMPING];
  }
  return {
    scores,
    /** Returns the terms of one document's score, largest first. */
    contributionsTo(document: number): readonly Contribution[] {
      const hop = hops.find(({ reached }) => reached.has(document));
      if (!hop) return [];
      const degree = neighbours(document).size;
      return [...neighbours(document)]
        .flatMap(([from, link]): Contribution[] => {
          const score = hop.from.get(from);
          if (score === undefined) return [];
          return [{ from, score, degrees: [neighbours(from).size, degree], weight: link * hop.damping }];
        })
        .sort((a, b) => value(b) - value(a) || a.from - b.from);
    },
  };
}

/** Returns the value that a contribution adds to the score. */
export function value({ score, weight, degrees: [giving, receiving] }: Contribution): number {
  return passedOn(score, weight, giving, receiving);
}

function passedOn(score: number, weight: number, giving: number, receiving: number): number {
  return (score * weight) / Math.sqrt(giving * receiving);
}

interface Hop {
  readonly from: ReadonlyMap<number, number>;
  readonly reached: ReadonlyMap<number, number>;
  readonly damping: number;
}

function spread(
  from: ReadonlyMap<number, number>,
  neighbours: Neighbours,
  damping: number,
  takes: (document: number) => boolean,
): ReadonlyMap<number, number> {
  /** The place of each document in the lists; −1 if it may not get a score. */
  const places = new Map<number, number>();
  const degrees: number[] = [];
  const sums: number[] = [];
  for (const [document, score] of from) {
    const linked = neighbours(document);
    for (const [other, weight] of linked) {
      let place = places.get(other);
      if (place === undefined) {
        place = takes(other) ? sums.push(0) - 1 : -1;
        places.set(other, place);
        if (place >= 0) degrees.push(neighbours(other).size);
      }
      if (place >= 0) sums[place]! += passedOn(score, weight * damping, linked.size, degrees[place]!);
    }
  }
  const reached = new Map<number, number>();
  for (const [document, place] of places) if (place >= 0) reached.set(document, sums[place]!);
  return reached;
}
