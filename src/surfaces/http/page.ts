/** The page at `/`: the files of the built page, and a form, hits and documents as HTML for browsers without JavaScript. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manyLines, oneLineOfHtml } from '../../core/text/one-line.ts';
import { placeIn } from '../../core/text/place.ts';
import { snippetParts } from '../../core/text/snippet-parts.ts';
import { headingsOf } from '../operations/format-passages.ts';
import type { AnswerOf } from '../operations/operation.ts';
import type { Named } from '../operations/operations.ts';
import type { Problem } from '../operations/problem.ts';
import type { Outcome } from './bounded-run.ts';
import { SECURITY_HEADERS } from './refusal.ts';

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The relative path leads to the same folder from `src/` and from the built `dist/`. */
const FOLDER = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The page may run its own scripts, use its own styles and ask this server. It loads nothing from elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/**
 * @returns the HTML of the page, and scripts and styles by path, such as `/assets/index-1a2b3c.js`; no files if the page is not built,
 *   or is being built just now
 */
export function readPageFiles() {
  try {
    const html = readFileSync(`${FOLDER}index.html`, 'utf8');
    const names = readdirSync(`${FOLDER}assets`).filter((name) => extname(name) in TYPES);
    const assets = names.map((name): [string, Asset] => [
      `/assets/${name}`,
      { type: TYPES[extname(name)]!, bytes: new Uint8Array(readFileSync(`${FOLDER}assets/${name}`)) },
    ]);
    return { html, assets: new Map(assets) };
  } catch {
    return { html: undefined, assets: new Map<string, Asset>() };
  }
}

export function pageResponse(html: string, status = 200): Response {
  return new Response(html, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
    },
  });
}

/** The name of an asset changes with its content, so browsers may keep it for good. */
export function assetResponse({ type, bytes }: Asset): Response {
  return new Response(bytes, {
    headers: {
      ...SECURITY_HEADERS,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': type,
    },
  });
}

type Answer = AnswerOf<Named<'search'>>;
type Hit = Answer['hits'][number];

export type PlainAnswer = Outcome<Answer>;
export type PlainText = Outcome<AnswerOf<Named<'read'>>>;

/** Max characters that the form accepts: a longer address would not fit into the headers of a request. */
const MAX_TYPED = 4_000;
/** Name of the form's field that asks for hits as HTML. */
export const PLAIN = 'plain';
/** Placeholder in the built page for the plain page, inside `<noscript>`. */
const PLACE = '<!-- plain page -->';

/**
 * @param shell HTML of the built page; undefined if the page is not built
 * @param plain HTML of `plainSearch`
 * @param judging whether grades may be saved; if not, the page does not offer the view of grades
 */
export function pageWith(shell: string | undefined, plain: string, judging = false): string {
  if (shell !== undefined) {
    const offered = judging ? shell : shell.replace(' judged"', '"');
    return offered.replace(PLACE, () => plain);
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>docfuse</title>
<main>
<h1>docfuse</h1>
${plain}
<p>Search as you type needs the built page: <code>npm run build:web</code>, then start the server again.</p>
<p>Programs use the <a href="/openapi.json">HTTP API</a>.</p>
</main>
</html>
`;
}

export function plainSearch(query: string, answer: PlainAnswer | undefined): string {
  return formWith(query, answer ? answerHtml(query, answer) : '');
}

/** The form, and below it the text of a document as it is in the file. Its lines have ids, such as `L12`. */
export function plainDocument(query: string, answer: PlainText): string {
  if ('problem' in answer) return formWith(query, problemHtml(answer.problem));
  const { title, document_id, text, start_line, last_line, end_line } = answer.output;
  const lines = manyLines(text)
    .split('\n')
    .map((line, at) => `<span id="L${start_line + at}">${escapeHtml(line)}</span>`);
  return formWith(
    query,
    `<h2 dir="auto">${oneLineOfHtml(title)}</h2>
<code>${oneLineOfHtml(document_id)}</code>
<pre dir="auto">${lines.join('\n')}</pre>
${end_line < last_line ? `<p>Lines ${end_line + 1} to ${last_line} are shown with JavaScript only.</p>` : ''}`,
  );
}

function formWith(query: string, below: string): string {
  return `<form action="/" method="get" role="search">
<label>Search your documents <input type="search" name="q" maxlength="${MAX_TYPED}" value="${escapeHtml(query)}"></label>
<input type="hidden" name="${PLAIN}" value="1">
<button>Search</button>
</form>
${below}`;
}

/** The text in place of the form if the server needs a token: a form cannot send one. */
export function plainLocked(): string {
  return '<p>This server needs a token. The page can send it only with JavaScript switched on.</p>';
}

function problemHtml({ detail, remedy }: Problem<string>): string {
  return `<p>${escapeHtml(detail)} ${escapeHtml(remedy)}</p>`;
}

function answerHtml(query: string, answer: PlainAnswer): string {
  if ('problem' in answer) return problemHtml(answer.problem);
  const { hits, unsure, notice } = answer.output;
  return [
    notice ? `<p>${escapeHtml(notice)}</p>` : '',
    listHtml(query, hits),
    unsure.length > 0 ? `<h2>Not sure that these answer it</h2>\n${listHtml(query, unsure)}` : '',
  ].join('\n');
}

function listHtml(query: string, hits: readonly Hit[]): string {
  return hits.length === 0 ? '' : `<ol>\n${hits.map((hit) => hitHtml(query, hit)).join('\n')}\n</ol>`;
}

function hitHtml(query: string, hit: Hit): string {
  const snippet = snippetParts(hit.snippet).map(({ text, marked }) => {
    const html = escapeHtml(text);
    return marked ? `<mark>${html}</mark>` : html;
  });
  const address = new URLSearchParams({ [PLAIN]: '1', q: query, doc: hit.document_id });
  const href = escapeHtml(`/?${address}#L${hit.snippet.start_line}`);
  return `<li dir="auto"><a href="${href}"><b>${oneLineOfHtml(headingsOf(hit))}</b></a> (${hit.confidence})<br>
<code>${oneLineOfHtml(placeIn(hit.document_id, hit))}</code><br>
${snippet.join('')}</li>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
