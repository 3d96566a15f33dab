/** Finds links between pages that lead nowhere. */
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';

export interface MarkdownPage {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Relative links and pictures whose file or heading is missing, as `page: target`.
 * @param paths every file of the project
 */
export function brokenLinks(pages: readonly MarkdownPage[], paths: readonly string[]): readonly string[] {
  const known = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]));
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page.text)]));
  return pages.flatMap((page) =>
    targetsOf(page.text)
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const path = file === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(file));
        if (!known.has(path.replace(/\/$/, ''))) return true;
        return anchor !== undefined && anchors.has(path) && !anchors.get(path)?.has(anchor);
      })
      .map((target) => `${page.path}: ${target}`),
  );
}

/** Addresses of links and pictures, as written. */
function targetsOf(text: string): readonly string[] {
  return new MarkdownIt({ html: true })
    .parse(text, {})
    .flatMap((token) => token.children ?? [])
    .flatMap((token) =>
      [token.attrGet('href') ?? token.attrGet('src')].filter((each) => each !== null).map(String),
    );
}

/** The anchors that a page's headings get: lower case, without punctuation, spaces as hyphens, repeats numbered. */
function anchorsOf(text: string): ReadonlySet<string> {
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const anchors = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const words = (tokens[index + 1]?.children ?? [])
      .filter(({ type }) => type === 'text' || type === 'code_inline')
      .map(({ content }) => content);
    const slug = words
      .join('')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${slug}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
