/** First places of documents on a map: each community is a disc, and the largest is in the middle. */

export type Place = readonly [x: number, y: number];

/** Angle between two neighbours on a spiral that fills a disc evenly, like the seeds of a sunflower. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Distance between neighbouring documents. It is near the distance in the final layout, so the picture keeps its size. */
const SPACING = 20;
/** Share of the radius of a community that its documents fill. The rest is the gap to the next community. */
const FILLED = 0.8;

/**
 * Places the members of communities. Depends on the ids and their order only.
 * @param communities ids of the members, the largest community first
 */
export function firstPlaces(communities: readonly (readonly string[])[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let before = 0;
  for (const [number, members] of communities.entries()) {
    const [left, top] = number === 0 ? [0, 0] : onSpiral(before + members.length / 2, number);
    for (const [at, id] of members.entries()) {
      const [x, y] = onSpiral(at + 0.5, at);
      places.set(id, [left + x * FILLED, top + y * FILLED]);
    }
    before += members.length;
  }
  return places;
}

/** Returns the point on the edge of a disc at the angle of `turn` golden angles. @param area area of the disc, in documents */
function onSpiral(area: number, turn: number): Place {
  const radius = SPACING * Math.sqrt(area);
  return [radius * Math.cos(turn * GOLDEN_ANGLE), radius * Math.sin(turn * GOLDEN_ANGLE)];
}
