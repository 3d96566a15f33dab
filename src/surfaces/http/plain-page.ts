/** The page at `/` without JavaScript: a form, and the hits of `/?q=…` or the text of a document as HTML made on the server. */
import { manyLines, oneLineOfHtml } from '../../core/text/one-line.ts';
import { placeIn } from '../../core/text/place.ts';
import { snippetParts } from '../../core/text/snippet-parts.ts';
import { headingsOf } from '../operations/format-passages.ts';
import type { AnswerOf } from '../operations/operation.ts';
import type { Problem } from '../operations/problem.ts';
import type { readDocument } from '../operations/read-document.ts';
import type { search } from '../operations/search.ts';

type Answer = AnswerOf<typeof search>;
type Hit = Answer['hits'][number];

type Plain<Output> = { readonly output: Output } | { readonly problem: Problem<string> };
export type PlainAnswer = Plain<Answer>;
export type PlainText = Plain<AnswerOf<typeof readDocument>>;

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

/** The form, and below it the answer. */
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
  const place = placeIn(hit.document_id, hit);
  const address = new URLSearchParams({ [PLAIN]: '1', q: query, doc: hit.document_id });
  const href = escapeHtml(`/?${address}#L${hit.snippet.start_line}`);
  return `<li dir="auto"><a href="${href}"><b>${oneLineOfHtml(headingsOf(hit))}</b></a> (${hit.confidence})<br>
<code>${oneLineOfHtml(place)}</code><br>
${snippetHtml(hit.snippet)}</li>`;
}

function snippetHtml(snippet: Hit['snippet']): string {
  const parts = snippetParts(snippet).map(({ text, marked }) => {
    const html = escapeHtml(text);
    return marked ? `<mark>${html}</mark>` : html;
  });
  return parts.join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
