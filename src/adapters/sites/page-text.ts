/** Makes the Markdown file of a fetched page: text or converted HTML, with its address, and with links to the other files. */
import { posix } from 'node:path';
import { readFrontMatter } from '../../core/markdown/front-matter.ts';
import type { Converter } from '../../core/ports.ts';
import { normalizeLineEnds } from '../../core/text/lines.ts';
import { destinationsIn } from './destinations.ts';
import type { Visit } from './visitor.ts';

const TEXT = /^text\/(?:plain|(?:x-)?markdown|mdx)$/;
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
/** Name by which the converter knows HTML. */
const HTML_FILE = 'page.html';

/**
 * Makes Markdown of an answer.
 * @returns `text`: the Markdown; or `problem`: the end of a sentence that begins with the address, with `lacks`: packages to
 * install, if any
 * @throws the reason of `signal` after an abort
 */
export async function markdownOf(
  { headers, bytes, url }: Visit,
  converter: Converter,
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string } | { readonly problem: string; readonly lacks?: readonly string[] }> {
  const type = headers.get('content-type') ?? '';
  const kind = type.split(';', 1)[0]!.trim().toLowerCase();
  const charset = /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1];
  if (HTML.test(kind)) {
    const lacks = converter.missingPackages(HTML_FILE);
    if (lacks.length > 0) return { problem: `is HTML, which needs the package ${lacks.join(' ')}`, lacks };
    // The encoding in the header wins over the one in the page. Add a byte order mark, because the converter obeys it first.
    const page = charset ? Buffer.from(`\ufeff${decode(bytes, charset)}`, 'utf16le') : bytes;
    const converted = (await converter.convert(HTML_FILE, page, signal))!;
    return 'problem' in converted ? { problem: `is left out: ${converted.problem}` } : converted;
  }
  if (!TEXT.test(kind) && !/\.(?:mdx?|txt)$/i.test(url.pathname))
    return { problem: `is ${kind || 'of an unknown type'}, not a page of text` };
  const text = decode(bytes, charset);
  if (text.includes('\0')) return { problem: 'is binary, not a page of text' };
  return text.trim() === '' ? { problem: 'is empty' } : { text };
}

function decode(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // no such encoding
  }
}

export interface PagePlace {
  readonly url: URL;
  /** Its file, relative to the folder of the site. */
  readonly file: string;
  /** Returns the file of another page. */
  readonly find: (url: URL) => string | undefined;
}

/**
 * Returns the content of the file. Front matter becomes YAML and has the address as `url`. Links to pages of the site become
 * relative paths; other links become complete addresses.
 */
export function pageText(markdown: string, { url, file, find }: PagePlace): string {
  const text = normalizeLineEnds(markdown);
  const { values, end } = readFrontMatter(text);
  const body = text.slice(end);
  const fields = Object.entries({ ...values, url: url.href }).map(
    // JSON is valid YAML.
    ([key, value]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  let linked = '';
  let at = 0;
  for (const { start, end: after, href } of destinationsIn(body)) {
    const target = href.startsWith('#') ? null : URL.parse(href, url.href);
    if (!target) continue;
    const other = find(target);
    const path = other && posix.relative(posix.dirname(file), other);
    const written = path === undefined ? target.href : encodeURI(path) + target.hash;
    linked += body.slice(at, start) + (/[()]/.test(written) ? `<${written}>` : written);
    at = after;
  }
  return `---\n${fields.join('\n')}\n---\n${linked}${body.slice(at)}`;
}
