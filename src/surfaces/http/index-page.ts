/** What a browser sees at the root: what can be asked, until there is a page to search with. */
import { oneLineOfHtml } from '../../core/text/one-line.ts';
import type { Route } from './routes.ts';

export function indexPage(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ path, operation }) =>
      `<li><code>${oneLineOfHtml(path)}</code> ${oneLineOfHtml(operation.summary)}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>docfuse</title>
<h1>docfuse</h1>
<p>An HTTP API, described by <a href="/openapi.json">/openapi.json</a>:</p>
<ul>
${rows.join('\n')}
<li><code>/api/events</code> Listen to what happens to the index</li>
</ul>
</html>
`;
}
