/** Matches a document's path against a folder, a file or a glob. */
import { globMatcher, MAX_GLOB_LENGTH } from './glob.ts';

/**
 * The test for a path inside its collection: `guides` and `guides/` mean the folder and all below it, `a/b.md` the
 * file, `guides/*.md` or `drafts/**` a glob; a glob without a slash looks at the file name alone. Case matters.
 * A place as an answer prints it, `a/b.md:4-8`, means its file. A pattern of more than 500 characters is no glob and
 * matches only literally.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const prefix = pattern
    .normalize('NFC')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
  const file = prefix.replace(/:\d+(?:-\d+)?$/, '');
  const matchesGlob = GLOB.test(prefix) && prefix.length <= MAX_GLOB_LENGTH ? ofPath(prefix) : undefined;
  return (path) => {
    const composed = path.normalize('NFC');
    if (prefix === '' || prefix === '.') return true;
    const isNamed = composed === prefix || composed === file || composed.startsWith(`${prefix}/`);
    return isNamed || matchesGlob?.(composed) === true;
  };
}

const GLOB = /[*?[\]{}!\\]/;

function ofPath(glob: string): (path: string) => boolean {
  const matches = globMatcher(glob);
  return glob.includes('/') ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}
