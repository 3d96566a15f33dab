/** How time grows when the input doubles, and again, and again: what is quadratic shows. */

/** Less than this much work is noise, in milliseconds. */
const FLOOR_MS = 4;
const DOUBLINGS = 3;
/** Steeper than this is not linear: it lies between 2 and 4, nearer to 2, because of noise. */
export const STEEPEST = 3;

export interface GrowthOptions {
  /** Characters of the shortest input. */
  readonly from: number;
}

/**
 * The factor by which processor time grows with each doubling of the input: 2 where it is linear, 4 where it is quadratic; the
 * mean of three doublings, so that a pause counts little. What is fast enough to be lost in the noise grows by 2.
 * @param make an input of about so many characters
 */
export function measureGrowth(
  run: (text: string) => unknown,
  make: (length: number) => string,
  { from }: GrowthOptions,
): number {
  const short = make(from);
  const long = make(from * 2 ** DOUBLINGS);
  run(short);
  const longest = time(run, long);
  if (longest < FLOOR_MS) return 2;
  const least = Math.max(time(run, short), FLOOR_MS / 2 ** DOUBLINGS);
  const growthTo = (most: number) => (most / least) ** (1 / DOUBLINGS);
  // The faster of two runs counts, and a second one is needed only if the first looks steep.
  return growthTo(longest) < STEEPEST ? growthTo(longest) : growthTo(Math.min(longest, time(run, long)));
}

function time(run: (text: string) => unknown, text: string): number {
  const began = process.cpuUsage();
  run(text);
  return process.cpuUsage(began).user / 1000;
}

/** A piece, again and again, up to about so many characters. */
export function repeatedPiece(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

/** The same, each followed by its number: `#a0 #a1 …`. */
export function numberedPieces(piece: string, length: number): string {
  return Array.from({ length: Math.ceil(length / (piece.length + 5)) }, (_, n) => `${piece}${n} `).join('');
}
