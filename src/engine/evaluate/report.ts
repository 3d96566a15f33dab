/** Writes an evaluation as a file for people: a page with plots and tables, or the plots alone. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { TopLevelSpec } from 'vega-lite';
import { DocfuseError } from '../../core/errors.ts';
import { oneLineOfHtml } from '../../core/text/one-line.ts';
import type { Evaluation } from './evaluation.ts';
import { evaluationTitle, judgedShares, type Table, tablesOf } from './evaluation-tables.ts';
import { plotsOf } from './plots.ts';
import { cannotWrite } from './write-file.ts';

/**
 * Checks that a report of this name can be written, before a long measurement.
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
