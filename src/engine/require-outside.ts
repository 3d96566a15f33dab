/** Refuses an index among the documents it is made of. */
import { DocfuseError } from '../core/errors.ts';
import { pathInside } from './path-inside.ts';

/**
 * Indexes stay out of the documents, except in a hidden folder, which is never read.
 * @throws DocfuseError `usage`
 */
export function requireOutside(indexPath: string, roots: readonly string[]): void {
  for (const root of roots) {
    const inside = pathInside(root, indexPath);
    if (inside === undefined || /(^|[\\/])\./.test(inside)) continue;
    throw new DocfuseError(
      'usage',
      `The index ${indexPath} would lie among the documents of ${root}.`,
      'Choose a folder elsewhere, or a hidden one such as .docfuse.',
    );
  }
}
