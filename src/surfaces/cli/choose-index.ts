/** Which index a command asks: one made of a folder above holds the documents of this folder, too. */
import { existsSync } from 'node:fs';
import type { OpenOptions } from '../../engine/api.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { pathInside } from '../../engine/path-inside.ts';

export interface ChosenIndex {
  readonly open: OpenOptions;
  /** Folders and files that the question is kept to, absolute; absent for the whole index. */
  readonly within?: readonly string[];
}

/**
 * @param narrows whether the question can be kept to a part of an index
 * @param note told which other index is asked
 */
export async function chooseIndex(
  asked: OpenOptions,
  narrows: boolean,
  note: (line: string) => void,
): Promise<ChosenIndex> {
  // What reads and opens databases is loaded only where there is no index of these folders alone.
  if (existsSync(locateIndex(asked).indexPath)) return { open: asked };
  const { indexHolding } = await import('../../engine/open-indexes.ts');
  const holding = indexHolding(asked);
  if (!holding) return { open: asked };
  const { roots, within } = holding;
  const narrowed = narrows ? `, narrowed to ${within.map((path) => placeIn(roots, path)).join(', ')}` : '';
  note(`Using the index of ${roots.join(', ')}${narrowed}; --new-index makes another one.`);
  return { open: { ...asked, roots }, ...(narrows && { within }) };
}

/** Below the only root, or whole. */
function placeIn([root, ...others]: readonly string[], path: string): string {
  return others.length > 0 ? path : pathInside(root!, path) || path;
}
