/** Refuses roots that are not there. */
import { existsSync } from 'node:fs';
import { DocfuseError } from '../core/errors.ts';

/** @throws DocfuseError `not_found` */
export function requireRoot(root: string): void {
  if (existsSync(root)) return;
  throw new DocfuseError('not_found', `There is no file or folder ${root}.`, 'Check the path.');
}
