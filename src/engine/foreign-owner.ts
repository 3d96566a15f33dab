/** Whether a file belongs to another user of this machine, who may read or replace what is written there. */
import { lstatSync, type Stats, statSync } from 'node:fs';

/**
 * Checks a link and its target. Files of root do not count as foreign: root may do everything anyway.
 * @returns the user as people read it; undefined for one's own file, root's, one that is not there, and on systems without such numbers
 */
export function foreignOwner(file: string): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const foreign = [statsOf(lstatSync, file), statsOf(statSync, file)].find(
    (stats) => stats !== undefined && stats.uid !== own && stats.uid !== 0,
  );
  return foreign && `user ${foreign.uid}`;
}

/** An unreadable file fails later, when it is opened. */
function statsOf(look: (file: string) => Stats, file: string): Stats | undefined {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}
