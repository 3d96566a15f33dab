/** Prints the answer of each operation for people, on a terminal or as text. Long views have a file of their own. */
import { existsSync } from 'node:fs';
import picocolors from 'picocolors';
import { count, formatBytes, plural } from '../../../core/text/format-numbers.ts';
import { manyLines, oneLine } from '../../../core/text/one-line.ts';
import { sourcesOf } from '../../operations/citations.ts';
import { citationOf, headingsOf } from '../../operations/format-passages.ts';
import type { Operation } from '../../operations/operation.ts';
import type { AnyOperation } from '../../operations/operations.ts';
import { noText } from '../../operations/read-document.ts';
import { fitWidth } from '../text-width.ts';
import { showAudit } from './audit.ts';
import { showConfig } from './config.ts';
import { showEvaluations, showTuning } from './evaluation.ts';
import { showAdded, showIndexing } from './indexing.ts';
import { showRelated } from './related.ts';
import { showHitsOfAll, showSearch } from './search.ts';
import { showStatus } from './status.ts';
import { type Answer, NO_DOCUMENT, type ViewContext } from './views.ts';

export const show: {
  readonly [Name in AnyOperation['name']]: (answer: Answer<Name>, context: ViewContext) => void;
} = {
  search: showSearch,
  search_with_hypothesis: showSearch,
  search_everywhere: showHitsOfAll,
  ask(output, context) {
    const { answered, answer, nearest, notice } = output;
    const { print, note, advise, locate, terminal } = context;
    // The text of the answer was printed while it was written, without a line feed at its end.
    if (answer !== undefined) print(answered ? '\n' : '');
    for (const citation of sourcesOf(output)) {
      const { number, collection, path } = citation;
      const place = citationOf(citation, locate(collection, path));
      print(`[${number}] ${terminal.colors.cyan(place)}  ${headingsOf(citation)}`);
    }
    if (notice) note(advise(notice));
    if (nearest)
      note(`Nearest: ${locate(nearest.collection, nearest.path)}:${nearest.line}  ${nearest.title}`);
  },
  index: showIndexing,
  read(document, { write, note }) {
    const { text, front_matter, end_line, last_line, truncated } = document;
    const nothing = noText(document);
    if (nothing) note(nothing);
    else write(manyLines(text));
    const { commit, author, date } = front_matter;
    // Only commits have these fields. They are shown above the message, as in git.
    if (commit && author && date) note(`commit ${commit} by ${author}, ${date}`);
    if (truncated) note(`Cut after line ${end_line} of ${last_line}.`);
  },
  related: showRelated,
  list({ documents, total, next_cursor, notice }, { options, print, note, advise, locate, terminal }) {
    for (const { collection, path, title, modified } of documents) {
      const date = options.sort === 'date' ? `${modified.slice(0, 10)}  ` : '';
      print(`${terminal.colors.cyan(locate(collection, path))}  ${date}${oneLine(title)}`);
    }
    if (notice) note(advise(notice));
    note(
      next_cursor === undefined
        ? plural(total, 'document')
        : `${count(documents.length)} of ${plural(total, 'document')}; more with --cursor ${next_cursor}`,
    );
  },
  list_tags({ tags }, { print, note, terminal }) {
    for (const { tag, documents } of tags) {
      print(`${terminal.colors.cyan(oneLine(tag))}  ${count(documents)}`);
    }
    note(plural(tags.length, 'tag'));
  },
  list_collections({ collections }, { print, terminal }) {
    for (const { name, root, documents } of collections) {
      print(`${terminal.colors.cyan(oneLine(name))}  ${oneLine(root)}  ${plural(documents, 'document')}`);
    }
  },
  graph({ nodes, edges, total }, { print, note, locate }) {
    const places = new Map(nodes.map((node) => [node.document_id, locate(node.collection, node.path)]));
    // Nodes are sorted by their number of links, edges by id. Print the edges in the order of the nodes.
    const ranks = new Map(nodes.map((node, rank) => [node.document_id, rank]));
    const pairs = edges
      .map(({ source, target }) => [source, target].sort((a, b) => ranks.get(a)! - ranks.get(b)!))
      .sort(([a, b], [c, d]) => ranks.get(a!)! - ranks.get(c!)! || ranks.get(b!)! - ranks.get(d!)!);
    for (const [first, second] of pairs) print(`${places.get(first!)} — ${places.get(second!)}`);
    const shown = nodes.length < total ? `${nodes.length} of ` : '';
    note(`${plural(edges.length, 'linked pair')} among ${shown}${plural(total, 'document')}`);
  },
  export({ folder, documents, mapped, files, bytes, meaning_bytes }, { print, note }) {
    print(
      `${plural(documents, 'document')} in ${plural(files, 'file')}, ${formatBytes(bytes)}, in ${folder}.`,
    );
    if (meaning_bytes !== undefined) {
      note(
        `For search by meaning, a browser loads ${formatBytes(meaning_bytes)} once, after its user turned that search on.`,
      );
    }
    if (mapped === 0) note('No document is linked with another one, so the page has no map.');
    note(
      `Everybody who can open the page can read these documents. To try it: python3 -m http.server --directory ${/\s/.test(folder) ? `"${folder}"` : folder}`,
    );
  },
  /** One community a line, named by its most linked document. */
  map({ communities, total, unlinked }, { print, note, locate, terminal }) {
    if (total + unlinked === 0) return note(NO_DOCUMENT);
    for (const { document_id, title, documents } of communities) {
      const slash = document_id.indexOf('/');
      const place = locate(document_id.slice(0, slash), document_id.slice(slash + 1));
      print(`${terminal.colors.cyan(place)}  ${oneLine(title)}  ${plural(documents, 'document')}`);
    }
    note(
      `${plural(communities.length, 'community', 'communities')} of ${plural(total, 'linked document')}; ${plural(unlinked, 'document')} without links`,
    );
  },
  status: showStatus,
  audit: showAudit,
  /** One index a line: name, size, day of its last use, and the folders that it was made from. */
  list_indexes({ folder, indexes }, { print, note }) {
    const widest = Math.max(0, ...indexes.map(({ name }) => name.length));
    for (const { name, bytes, used, roots } of indexes) {
      const made =
        roots.map((root) => (existsSync(root) ? root : `${root} (gone)`)).join(', ') || 'nothing yet';
      print(
        oneLine(`${name.padEnd(widest)}  ${formatBytes(bytes).padStart(8)}  ${used.slice(0, 10)}  ${made}`),
      );
    }
    const bytes = indexes.reduce((sum, each) => sum + each.bytes, 0);
    note(`${plural(indexes.length, 'index', 'indexes')}, ${formatBytes(bytes)}, in ${folder}`);
  },
  remove_index({ index: { name, bytes, folder } }, { note }) {
    const kept = existsSync(folder) ? ` Files in ${folder} that are not part of the index stay.` : '';
    note(`${name} deleted, ${formatBytes(bytes)} freed.${kept}`);
  },
  add_site: showAdded,
  /** One site a line: address, number of pages, day on which all were read, and folder. */
  list_sites({ sites }, { print, note }) {
    for (const { url, pages, updated, folder } of sites) {
      print(oneLine(`${url}  ${plural(pages, 'page')}  ${updated?.slice(0, 10) ?? 'unfinished'}  ${folder}`));
    }
    note(plural(sites.length, 'site'));
  },
  remove_site: ({ folder }, { note }) =>
    note(`${folder} deleted. docfuse indexes lists an index made of it.`),
  /** One model a line: name, size, day it was pulled. */
  list_models({ folder, models }, { print, note }) {
    const widest = Math.max(0, ...models.map(({ name }) => name.length));
    for (const { name, bytes, pulled } of models) {
      print(oneLine(`${name.padEnd(widest)}  ${formatBytes(bytes).padStart(8)}  ${pulled.slice(0, 10)}`));
    }
    note(`${plural(models.length, 'pulled model')} in ${folder}`);
  },
  /** One format a line: name, endings, and the packages to install. */
  formats({ formats }, { print, note }) {
    const endings = ({ extensions, names }: Pick<(typeof formats)[number], 'extensions' | 'names'>) =>
      [...extensions.map((each) => `.${each}`), ...names].join(' ');
    const name = Math.max(...formats.map((each) => each.name.length));
    const ending = Math.max(...formats.map((each) => endings(each).length));
    for (const { name: format, packages, missing, ...named } of formats) {
      const state = missing.length > 0 ? `needs ${missing.join(' ')}` : packages.join(' ');
      print(`${format.padEnd(name)}  ${endings(named).padEnd(ending)}  ${state}`.trimEnd());
    }
    const missing = [...new Set(formats.flatMap((each) => each.missing))];
    if (missing.length > 0) {
      note(`To read all: npm install ${missing.join(' ')} (with -g if docfuse was installed with -g).`);
    }
  },
  pull_model({ model, changed }, { write, note }) {
    write(oneLine(model.folder));
    note(changed ? `${model.name}: ${formatBytes(model.bytes)} pulled.` : `${model.name} is up to date.`);
  },
  remove_model({ model }, { note }) {
    note(`${model.name} deleted, ${formatBytes(model.bytes)} freed.`);
  },
  locate_model: ({ folder }, { write }) => write(oneLine(folder)),
  doctor({ checks }, { print, terminal, advise }) {
    const colors = { ok: 'green', warning: 'yellow', failure: 'red' } as const;
    /** The column of the detail, right of state and name. */
    const column = 22;
    for (const { name, state, detail, remedy } of checks) {
      const mark = terminal.colors[colors[state]](state.padEnd(7));
      print(`${mark}  ${name.padEnd(11)}  ${oneLine(detail)}`, column);
      if (remedy) print(`${' '.repeat(column)}${oneLine(advise(remedy))}`, column);
    }
  },
  config: showConfig,
  config_schema: ({ schema }, { write }) => write(JSON.stringify(schema, undefined, 2)),
  config_init: ({ file }, { write }) => write(oneLine(file)),
  eval: showEvaluations,
  judge({ id, judgements, removed, queries, set_folder, notice }, { options, print, note }) {
    // Without --grades, the notice was printed before the first question.
    if (notice !== undefined && options.grades !== undefined) note(notice);
    for (const { path, grade } of judgements) print(oneLine(`${grade}  ${path}`));
    const held = plural(queries, 'query', 'queries');
    if (removed !== undefined)
      note(`${plural(removed, 'grade')} removed from ${set_folder}, which now has ${held}.`);
    else if (id === undefined) note('Nothing was judged.');
    else note(`Saved as ${id} in ${set_folder}, which now has ${held}.`);
  },
  list_judged({ sets }, { print, note, locate }) {
    for (const { collection, queries } of sets) {
      for (const { query, unanswerable, judgements } of queries) {
        print(`${oneLine(query)}${unanswerable ? '  (nothing answers it)' : ''}`);
        for (const { path, grade } of judgements) print(`  ${grade}  ${oneLine(locate(collection, path))}`);
      }
    }
    const count = sets.reduce((sum, { queries }) => sum + queries.length, 0);
    note(count === 0 ? 'Nothing was judged yet.' : plural(count, 'judged query', 'judged queries'));
  },
  tune: showTuning,
  mcp_install({ client, file, configuration, outcome, reason }, { write, note }) {
    if (outcome === 'written') note(`Written to ${file}. Restart ${client} to load it.`);
    else if (outcome === 'unchanged') note(`${file} is already up to date.`);
    else {
      if (outcome === 'refused') note(`${file} was not changed. ${reason}`);
      note(`Add this to ${file} and restart ${client}:`);
      // The text can be copied: JSON and TOML read the escapes of `oneLine`.
      write(configuration.trimEnd().split('\n').map(oneLine).join('\n'));
    }
  },
};

const WIDTH = 100;
const TERMINAL = {
  width: WIDTH,
  limits: { stdout: WIDTH, stderr: WIDTH },
  colors: picocolors.createColors(false),
  link: (text: string) => text,
  interactive: false,
};

/** Returns an answer as text. Documents are named by their ids: the client's working directory is unknown. */
export function asText({ name }: Operation, output: unknown): string {
  const lines: string[] = [];
  show[name as keyof typeof show](output as never, {
    terminal: TERMINAL,
    options: {},
    locate: (collection, path) => oneLine(`${collection}/${path}`),
    print: (line, indent) => void lines.push(fitWidth(line, WIDTH, indent)),
    write: (text) => void lines.push(text),
    advise: String,
    note: (line) => void lines.push(fitWidth(line, WIDTH)),
  });
  return `${lines.join('\n')}\n`;
}
