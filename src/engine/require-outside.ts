/** Refuses an index among the documents it is made of. */
import { isAbsolute, relative } from 'node:path';
import { DocfuseError } from '../core/errors.ts';

/**
 * Indexes stay out of the documents, except in a hidden folder, which is never read.
 * @throws DocfuseError `usage`
 */
export function requireOutside(indexPath: string, roots: readonly string[]): void {
  for (const root of roots) {
    const inside = relative(root, indexPath);
    if (inside.startsWith('..') || isAbsolute(inside) || /(^|[\\/])\./.test(inside)) continue;
    throw new DocfuseError(
      'usage',
      `The index ${indexPath} would lie among the documents of ${root}.`,
      'Choose a folder elsewhere, or a hidden one such as .docfuse.',
    );
  }
}
