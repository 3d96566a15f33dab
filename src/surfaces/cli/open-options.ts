/** What the shared options and the paths of a command say about the index to open. */
import type { OpenOptions } from '../../engine/api.ts';
import { parseSettings } from './set.ts';
import type { SharedOptions } from './shared-options.ts';

export function toOpenOptions(paths: readonly string[], shared: SharedOptions): OpenOptions {
  const { set = [] } = shared;
  return {
    ...(paths.length > 0 && { roots: paths }),
    ...(shared.index !== undefined && { indexPath: shared.index }),
    ...(shared.config !== undefined && { config: shared.config }),
    ...(set.length > 0 && { settings: parseSettings(set) }),
  };
}
