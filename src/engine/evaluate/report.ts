/** Writes an evaluation as a file for people: a page with plots and tables, or the plots alone. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { TopLevelSpec } from 'vega-lite';
import { DocfuseError } from '../../core/errors.ts';
import { METRIC_NAMES, METRICS } from '../../core/evaluate/metrics.ts';
import { oneLine, oneLineOfHtml } from '../../core/text/one-line.ts';
import type { Evaluation, ModeEvaluation } from './evaluation.ts';
import { evaluationTitle, judgedShares, MEASURES, type Table, tablesOf } from './evaluation-tables.ts';
import { cannotWrite } from './write-file.ts';

/**
 * Checks, before a long measurement, that a report of this name can be written.
 * @throws DocfuseError `usage` unless the name ends in `.html` or `.svg`, `package_missing` without the plotting packages
 */
export async function requireReport(file: string): Promise<void> {
  if (!['.html', '.svg'].includes(extname(file).toLowerCase())) {
    throw new DocfuseError(
      'usage',
      `A report must be an .html or .svg file, not ${file}.`,
      'Choose a name such as report.html.',
    );
  }
  await loadPlotting();
}

/**
 * Writes the report, replacing the file. The file loads nothing from outside.
 * @param file `.html` holds tables and plots, `.svg` the plots one below the other
 * @throws DocfuseError what `requireReport` throws, `storage` when the file cannot be written
 */
export async function writeReport(file: string, evaluations: readonly Evaluation[]): Promise<void> {
  await requireReport(file);
  const text = extname(file).toLowerCase() === '.svg' ? await plotAll(evaluations) : await page(evaluations);
  await writeFile(file, text).catch(cannotWrite(file));
}

function plotAll(evaluations: readonly Evaluation[]): Promise<string> {
  const vconcat = plotsOf(evaluations).map(({ title, spec }) => ({ ...spec, title }));
  // The cast is needed because `vconcat` does not take fields of the top level. These specifications have none.
  return draw({ vconcat, spacing: 40 } as TopLevelSpec);
}

async function page(evaluations: readonly Evaluation[]): Promise<string> {
  const figures = [];
  for (const { title, caption, spec } of plotsOf(evaluations)) {
    const picture = (await draw(spec)).replace('<svg', `<svg role="img" aria-label="${title}"`);
    figures.push(`<h2>${title}</h2>\n<figure>${picture}<figcaption>${caption}</figcaption></figure>`);
  }
  const names = evaluations.map(({ set }) => set).join(', ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search quality: ${oneLineOfHtml(names)}</title>
<style>${STYLE}</style>
<h1>Search quality</h1>
${evaluations.map(tables).join('\n')}
${figures.join('\n')}
</html>
`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; font-weight: 600 }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums }
td { white-space: nowrap } th:first-child, td:first-child { text-align: left }
figure { margin: 1rem 0; overflow-x: auto } figcaption { color: #555 }
`;

/** Content security policy: allows only the style of this page. Markup in the name of a set cannot load, run or send anything. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function tables(evaluation: Evaluation): string {
  const [measures, ...others] = tablesOf(evaluation);
  const titled = others.map((each) => table(`${evaluation.set}: ${each.caption ?? each.header[0]}`, each));
  const notes = evaluation.warnings.map(paragraph);
  const judged = paragraph(judgedShares(evaluation));
  return [table(evaluationTitle(evaluation), measures!), judged, ...titled, ...notes].join('\n');
}

function paragraph(text: string): string {
  return `<p>${oneLineOfHtml(text)}</p>`;
}

/** Makes an HTML table. The first cell of the header is empty, because the caption says what the table shows. */
function table(caption: string, { header, rows }: Table): string {
  const head = ['', ...header.slice(1)].map((cell) => `<th scope="col">${cell}</th>`);
  const lines = rows.map((row) => row.map((cell) => `<td>${oneLineOfHtml(cell.trim())}</td>`).join(''));
  return `<table><caption>${oneLineOfHtml(caption)}</caption>
${[head.join(''), ...lines].map((line) => `<tr>${line}</tr>`).join('\n')}
</table>`;
}

const FRAME = { background: 'white', config: { font: 'system-ui, sans-serif' } };

/** Loads the plotting packages at their first use: they are optional, and loading takes a third of a second. */
async function loadPlotting() {
  try {
    const [{ compile }, { parse, View }] = await Promise.all([import('vega-lite'), import('vega')]);
    return { compile, parse, View };
  } catch (cause) {
    throw new DocfuseError(
      'package_missing',
      'A report needs the packages vega and vega-lite, which are not installed.',
      'Run `npm install vega vega-lite`, or leave out --report.',
      { cause },
    );
  }
}

async function draw(spec: TopLevelSpec): Promise<string> {
  const { compile, parse, View } = await loadPlotting();
  const view = new View(parse(compile({ ...FRAME, ...spec }).spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

interface Plot {
  readonly title: string;
  /** Says how to read the plot. */
  readonly caption: string;
  /** Has no background: `draw` adds a white one. */
  readonly spec: TopLevelSpec;
}

type Layers = Extract<TopLevelSpec, { layer: unknown }>['layer'];

/** The palette of Okabe and Ito, for readers with colour blindness. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7'];

const UNIT = { domain: [0, 1] };

/** @param evaluations at least one, with at least one mode */
function plotsOf(evaluations: readonly Evaluation[]): readonly Plot[] {
  return [quality(evaluations), reliabilityDiagram(evaluations), latency(evaluations)];
}

function quality(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ metrics, intervals }) =>
    METRICS.map((metric) => {
      const [low, high] = intervals[metric];
      return { measure: METRIC_NAMES[metric], value: metrics[metric], low, high };
    }),
  );
  const x = { field: 'mode', type: 'nominal', sort: null, title: null } as const;
  const y = { ...number('value'), scale: UNIT, title: null };
  const bars = { x, y, color: colour(evaluations) };
  const intervals = { x, y: number('low'), y2: { field: 'high' } };
  return {
    title: 'Quality',
    caption: 'Means over the judged queries; lines are 95 % bootstrap intervals.',
    spec: {
      data: { values },
      facet: {
        column: { field: 'measure', sort: MEASURES, title: null },
        row: { field: 'set', title: null },
      },
      spec: {
        width: 110,
        height: 150,
        layer: [
          { mark: { type: 'bar', opacity: 0.75 }, encoding: bars },
          { mark: { type: 'rule', strokeWidth: 2 }, encoding: intervals },
        ],
      },
    },
  };
}

function reliabilityDiagram(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ calibration }) =>
    calibration.bins.map(({ confidence, correct, count }) => ({ confidence, correct, count })),
  );
  const end = { ...number('end'), scale: UNIT };
  const bins = { x: number('confidence'), y: number('correct'), color: colour(evaluations) };
  const size = { ...number('count'), title: 'queries', legend: { tickMinStep: 1, format: 'd' } };
  return {
    title: 'Reliability',
    caption:
      'For each confidence, the share of best hits that are relevant. On the dashed line, eight of ten hits with confidence 0.8 are relevant.',
    spec: perSet(values, [
      {
        data: { values: [{ end: 0 }, { end: 1 }] },
        mark: { type: 'line', strokeDash: [4, 4], color: '#888' },
        encoding: { x: { ...end, title: 'confidence' }, y: { ...end, title: 'relevant' } },
      },
      { mark: { type: 'line', opacity: 0.6 }, encoding: bins },
      { mark: { type: 'circle', opacity: 0.9 }, encoding: { ...bins, size } },
    ]),
  };
}

function latency(evaluations: readonly Evaluation[]): Plot {
  const values = rowsOf(evaluations, ({ perQuery }) =>
    perQuery
      .map(({ milliseconds }) => milliseconds)
      .sort((a, b) => a - b)
      .map((milliseconds, place) => ({ milliseconds, share: (place + 1) / perQuery.length })),
  );
  const x = { ...number('milliseconds'), scale: { zero: true } };
  const y = { ...number('share'), scale: UNIT, title: 'share of queries' };
  return {
    title: 'Latency',
    caption: 'Share of queries answered within a time; the median is where a line crosses 0.5.',
    spec: perSet(values, [
      { mark: { type: 'line', interpolate: 'step-after' }, encoding: { x, y, color: colour(evaluations) } },
    ]),
  };
}

type Row = Record<string, string | number>;

function rowsOf(evaluations: readonly Evaluation[], rows: (mode: ModeEvaluation) => readonly Row[]): Row[] {
  return evaluations.flatMap(({ set, modes }) =>
    modes.flatMap((mode) => rows(mode).map((row) => ({ set: oneLine(set), mode: mode.mode, ...row }))),
  );
}

function perSet(values: Row[], layer: Layers): TopLevelSpec {
  const spec = { width: 180, height: 180, layer };
  return { data: { values }, facet: { field: 'set', title: null }, columns: 4, spec };
}

function number(field: string) {
  return { field, type: 'quantitative' } as const;
}

function colour(evaluations: readonly Evaluation[]) {
  const modes = [...new Set(evaluations.flatMap((evaluation) => evaluation.modes.map(({ mode }) => mode)))];
  const scale = { domain: modes, range: COLOURS.slice(0, modes.length) };
  return { field: 'mode', type: 'nominal', title: null, scale } as const;
}
