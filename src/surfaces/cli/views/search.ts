/** Prints hits: path, title, score, and a few lines with the matched words in bold. */
import { count, plural, shownScore } from '../../../core/text/format-numbers.ts';
import { headingPathAt } from '../../../core/text/heading-path.ts';
import { manyLines, oneLine } from '../../../core/text/one-line.ts';
import { placeIn } from '../../../core/text/place.ts';
import { andMore, snippetCuts, snippetParts } from '../../../core/text/snippet-parts.ts';
import { formatPassages, headingsOf } from '../../operations/format-passages.ts';
import { countHits, withoutColors } from '../terminal.ts';
import { cellsOf, wrap } from '../text-width.ts';
import type { Answer, ViewContext } from './views.ts';

type Hit = Answer<'search'>['hits'][number];

/** Max lines of text under a hit. */
const SNIPPET_LINES = 4;
const INDENT = '  ';
/** Cells kept free for ` and 99 more`. */
const REST_WIDTH = 12;

export function showSearch(answer: Answer<'search'>, context: ViewContext): void {
  const { hits, unsure, stats, timings_ms, index, notice } = answer;
  let found = countHits(hits.length, unsure.length);
  // Print the notice above the passages: without it, a reader may take the first passage for the answer.
  if (notice) context.note(context.advise(notice));
  if (context.options.files) {
    const paths = new Set(hits.map((hit) => context.locate(hit.collection, hit.path)));
    for (const path of paths) context.write(path);
    found = plural(paths.size, 'file');
    noteUnsure(unsure.length, '--files', context.note);
  } else if (context.options.context) {
    const block = formatPassages(hits, ({ collection, path }) => context.locate(collection, path));
    if (hits.length > 0) context.write(block);
    found = plural(hits.length, 'hit');
    noteUnsure(unsure.length, '--context', context.note);
  } else {
    if (context.options.explain) {
      for (const line of explainSearch(answer)) context.print(line);
      context.print('');
    }
    showAll(hits, unsure, context);
  }
  const time = `${count(Math.max(1, Math.round(timings_ms.total ?? 0)))} ms`;
  const passages = plural(index.chunks, 'passage');
  const searched =
    stats.after_filters === undefined
      ? plural(index.documents, 'document')
      : `${count(stats.after_filters)} of ${passages}`;
  context.note(`${found} in ${time} · ${searched}`);
}

export function showHitsOfAll(
  { hits, unsure, indexes, skipped, milliseconds }: Answer<'search_everywhere'>,
  context: ViewContext,
): void {
  showAll(hits, unsure, context);
  for (const { index, reason } of skipped) context.note(`${index} was not searched: ${reason}`);
  const time = `${count(Math.max(1, Math.round(milliseconds)))} ms`;
  context.note(
    `${countHits(hits.length, unsure.length)} in ${time} · ${plural(indexes, 'index', 'indexes')}, each as last brought up to date`,
  );
}

/** Notes how many unsure hits are left out by an output option, such as `--files`. */
export function noteUnsure(unsure: number, form: string, note: (line: string) => void): void {
  if (unsure > 0) note(`${plural(unsure, 'unsure passage')} left out; without ${form} a search shows them.`);
}

function showAll(hits: readonly Hit[], unsure: readonly Hit[], context: ViewContext): void {
  const { terminal } = context;
  const { dim } = terminal.colors;
  for (const hit of hits) showHit(hit, context);
  if (unsure.length > 0) context.print(`${dim('Not sure that these answer it:')}\n`);
  const dimmed = {
    ...context,
    terminal: withoutColors(terminal),
    print: (line: string) => context.print(line && dim(line)),
  };
  for (const hit of unsure) showHit(hit, dimmed);
}

function showHit(hit: Hit, context: ViewContext): void {
  for (const line of headLines(hit, context)) context.print(line);
  for (const line of snippetLines(hit, context)) context.print(`${INDENT}${line}`);
  for (const line of alsoLines(hit, context)) context.print(`${INDENT}${line}`);
  if (hit.explanation) for (const line of explain(hit.explanation)) context.print(`${INDENT}${line}`);
  context.print('');
}

/**
 * Returns `path:line  Title › Heading   0.87 high  ts` as one line if it fits, otherwise the headings on separate lines. `line`
 * is the best matching line of the hit; the headings are those above this line; `ts` is the language of its code.
 */
function headLines(hit: Hit, { terminal, locate }: ViewContext): string[] {
  const { colors, width } = terminal;
  const place = placeIn(locate(hit.collection, hit.path, hit.file), hit);
  const shown = terminal.link(colors.cyan(place), hit.file);
  const score = `${shownScore(hit.score)} ${hit.confidence}`;
  const language = hit.snippet.code && hit.code_language ? oneLine(hit.code_language) : '';
  const color = { high: colors.green, fair: colors.yellow, low: colors.dim }[hit.confidence];
  const end = language ? `${color(score)}  ${colors.dim(language)}` : color(score);
  const path = headingsOf({ title: hit.title, heading_path: headingsAbove(hit) });
  if (cellsOf(`${place}  ${path}   ${score}${language && `  ${language}`}`) <= width) {
    return [`${shown}  ${path}   ${end}`];
  }
  const { lines } = wrap([{ text: path, marked: false }], width - INDENT.length, String);
  return [`${shown}   ${end}`, ...lines.map((line) => `${INDENT}${line}`)];
}

/** The headings above the best line of a hit. */
function headingsAbove({ heading_path, text, start_line, line }: Hit): readonly string[] {
  return headingPathAt(heading_path, text, line - start_line);
}

/**
 * Returns at most four lines. Skips the heading that is printed above the snippet, and the first lines if the longest match of
 * the best line, such as a whole name, is below them.
 */
function snippetLines(hit: Hit, { terminal }: ViewContext): string[] {
  const { bold } = terminal.colors;
  const width = terminal.width - INDENT.length - 3;
  const { snippet, line } = hit;
  const wrapWith = (matches: typeof snippet.matches) => {
    // Escape unsafe characters only after the text is split at the matches: escaping changes the offsets of the matches.
    const parts = snippetParts({ ...snippet, matches }).map((part) => ({
      ...part,
      text: manyLines(part.text),
    }));
    return { parts, ...wrap(parts, width, bold, snippet.code !== undefined) };
  };
  const { parts, lines, continued } = wrapWith(snippet.matches);
  // The best line has no match if the words are in the heading above the snippet.
  const { marked } = wrapWith(snippet.matches.filter(([at]) => lineAt(snippet, at) === line));
  const first = parts
    .map(({ text }) => text)
    .join('')
    .split('\n', 1)[0]!;
  const isPrinted = first === headingsAbove(hit).at(-1) && cellsOf(first) <= width && lines.length > 1;
  const begin = isPrinted ? 1 : 0;
  const from = marked < begin + SNIPPET_LINES ? begin : Math.min(marked, lines.length - SNIPPET_LINES);
  const shown = withoutHalfTags(lines, from, from + SNIPPET_LINES);
  const { before, after } = snippetCuts(hit);
  if ((from > 0 ? continued[from] : before) && shown.length > 0) shown[0] = `…${shown[0]}`;
  if (after || from + SNIPPET_LINES < lines.length) shown[shown.length - 1] = andMore(shown.at(-1) ?? '');
  return shown;
}

function lineAt({ text, start_line }: Hit['snippet'], offset: number): number {
  return start_line + text.slice(0, offset).split('\n').length - 1;
}

const OPEN_TAG = /<\/?[a-z][^<>]*$/i;
const REST_OF_TAG = /^[^<>]*>/;

/** Returns the lines from `from` to `to`, without HTML tags that are cut off at the start or end. */
function withoutHalfTags(lines: readonly string[], from: number, to: number): string[] {
  let text = lines.slice(from, to).join('\n');
  if (OPEN_TAG.test(lines.slice(0, from).join('\n'))) text = text.replace(REST_OF_TAG, '');
  if (REST_OF_TAG.test(lines.slice(to).join('\n'))) text = text.replace(OPEN_TAG, '');
  return text.split('\n').filter((line) => line !== '');
}

/** Returns a line with other places of the same text, as many as fit. */
function alsoLines({ merged = [] }: Hit, { terminal, locate }: ViewContext): string[] {
  if (merged.length === 0) return [];
  const places = merged.map(({ document_id, path, start_line }) => {
    const collection = document_id.slice(0, -path.length - 1);
    return `${locate(collection, path)}:${start_line}`;
  });
  const width = terminal.width - INDENT.length - REST_WIDTH;
  const text = (shown: number) => `also in ${places.slice(0, shown).join(', ')}`;
  let fitting = 1;
  while (fitting < places.length && cellsOf(text(fitting + 1)) <= width) fitting++;
  const rest = places.length - fitting;
  return [terminal.colors.dim(rest > 0 ? `${text(fitting)} and ${rest} more` : text(fitting))];
}

/** Explains the search as a whole; also printed if there are no hits. */
function explainSearch(answer: Answer<'search'>): string[] {
  const { query_type, query_sign, weights, stats, timings_ms, index, hits } = answer;
  const lanes = Object.entries(weights).map(([lane, weight]) => `${lane} ${weight.toFixed(2)}`);
  const narrowing = [
    ['threshold', `${stats.after_threshold} above the threshold`],
    ['content_dedup', `${stats.after_content_dedup} after exact duplicates`],
    ['ngram_dedup', `${stats.after_ngram_dedup} after near duplicates`],
    ['semantic_dedup', `${stats.after_semantic_dedup} after duplicates in meaning`],
    ['document_limit', `${stats.after_document_limit} after the limit per document`],
    ['parents', `${stats.after_parents} as larger sections`],
  ] as const;
  const left = [
    plural(stats.original_count, 'candidate'),
    ...narrowing.filter(([stage]) => stage in timings_ms).map(([, text]) => text),
    `${hits.length} shown`,
  ];
  const lines: string[] = [];
  if (query_type !== undefined) {
    lines.push(`${query_type} query (${query_sign ?? 'nothing in it points to another kind'})`);
  }
  if (stats.after_filters !== undefined) {
    lines.push(`${stats.after_filters} of ${plural(index.chunks, 'passage')} pass the filters`);
  }
  if (lanes.length > 0) lines.push(`weights: ${lanes.join(' · ')}`);
  return [...lines, left.join(' → ')];
}

/** The score of a hit as an indented tree, one number a line: `0.87  fused`. */
function explain(node: NonNullable<Hit['explanation']>, depth = 0): string[] {
  const weight = node.weight === undefined ? '' : ` × ${round(node.weight)}`;
  const line = `${'  '.repeat(depth)}${round(node.value)}${weight}  ${oneLine(node.label)}`;
  return [line, ...(node.parts ?? []).flatMap((part) => explain(part, depth + 1))];
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
