/** Prints the state of the index, one fact a line. */
import { existsSync } from 'node:fs';
import { count, formatBytes, plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import { leadsOut } from './audit.ts';
import { noteFiles } from './indexing.ts';
import type { Answer, ViewContext } from './views.ts';

const LABEL_WIDTH = 12;

export function showStatus(output: Answer<'status'>, context: ViewContext): void {
  const { index } = output;
  const fact = (label: string, value: string) =>
    context.print(
      `${context.terminal.colors.bold(label)}${' '.repeat(LABEL_WIDTH + 1 - label.length)}${oneLine(value)}`,
      LABEL_WIDTH + 1,
    );
  fact('Index', output.index_path);
  fact('Size', formatBytes(output.bytes));
  fact('Updated', index.updated ?? context.advise('never; run docfuse index'));
  const models = index.models ?? [];
  if (models.length === 0) fact('Model', index.model);
  for (const { model, embedded, of } of models)
    fact('Model', `${model}, ${count(embedded)} of ${plural(of, 'passage')} embedded`);
  fact('Documents', count(index.documents));
  fact('Passages', `${count(index.chunks)}, ${count(index.embedded)} with vectors`);
  if (output.kept_vectors > 0)
    fact('', `${plural(output.kept_vectors, 'vector')} of removed passages, kept in case they come back`);
  const { count: broken } = output.unresolved_links;
  fact('Links', `${count(output.links)}${broken ? `, ${count(broken)} of them to no document` : ''}`);
  for (const { path, line, target } of output.unresolved_links.examples) {
    const isOut = leadsOut(path.slice(path.indexOf('/') + 1), target);
    const trouble = isOut ? 'is outside of the indexed folder' : 'does not exist';
    fact('', `${path}:${line} links to ${target}, which ${trouble}`);
  }
  const more = output.unresolved_links.count - output.unresolved_links.examples.length;
  if (more > 0) fact('', `and ${count(more)} more`);
  if (output.communities.count > 0) fact('Communities', count(output.communities.count));
  for (const { documents, titles } of output.communities.largest) {
    const others = documents > titles.length ? ', …' : '';
    fact('', `${plural(documents, 'document')}: ${titles.join(', ')}${others}`);
  }
  for (const { name, root, documents } of output.collections) {
    const gone = existsSync(root) ? '' : ' (gone)';
    fact('Collection', `${name}: ${plural(documents, 'document')} in ${root}${gone}`);
    if (gone)
      fact('', 'search, list and read answer from what the index holds; docfuse indexes rm deletes it');
  }
  const isAtWork = output.server !== undefined && output.server.activity.state !== 'idle';
  const remedy = isAtWork ? 'the server makes them' : 'docfuse index makes them, or says why it cannot';
  if (index.stale) fact('Vectors', `some passages have none yet; ${context.advise(remedy)}`);
  if (output.server) fact('Server', serverFact(output.server));
  const { by_words, with_meaning } = output.server?.searches ?? {};
  if (by_words) fact('Searches', timesFact('by words', by_words));
  if (with_meaning) fact(by_words ? '' : 'Searches', timesFact('with meaning', with_meaning));
  if (output.skipped.length > 0) fact('Left out', plural(output.skipped.length, 'file'));
  if (output.warnings.length > 0)
    fact('Warnings', `${count(output.warnings.length)}, about documents that were indexed anyway`);
  if (output.last_error) fact('Last error', output.last_error);
  noteFiles(output, context);
}

type Server = NonNullable<Answer<'status'>['server']>;

function timesFact(kind: string, { p50_ms, p95_ms }: NonNullable<Server['searches']['by_words']>): string {
  return `${kind} half within ${Math.ceil(p50_ms)} ms, 95 % within ${Math.ceil(p95_ms)} ms`;
}

function serverFact({ url, pid, started, activity }: Server): string {
  const { state, done, total } = activity;
  const far = done === undefined ? '' : ` (${count(done)} of ${count(total ?? done)})`;
  return `${url}, process ${pid} since ${started}, ${state}${far}`;
}
