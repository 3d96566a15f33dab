/** Matches a document's path against a folder, a file or a glob. */
import picomatch from 'picomatch/posix.js';

/**
 * The test for a path inside its collection: `guides` and `guides/` mean the folder and all below it, `a/b.md` the
 * file, `guides/*.md` or `drafts/**` a glob; a glob without a slash looks at the file name alone. Case matters.
 * A pattern that is no valid glob matches only literally.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const prefix = pattern
    .normalize('NFC')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  const matchesGlob = GLOB.test(prefix) ? globMatcher(prefix) : undefined;
  return (path) => {
    const composed = path.normalize('NFC');
    if (prefix === '' || prefix === '.') return true;
    return composed === prefix || composed.startsWith(`${prefix}/`) || matchesGlob?.(composed) === true;
  };
}

const GLOB = /[*?[\]{}()!]/;

function globMatcher(glob: string): ((path: string) => boolean) | undefined {
  try {
    return picomatch(glob, { dot: true, basename: !glob.includes('/') });
  } catch {
    return undefined;
  }
}
