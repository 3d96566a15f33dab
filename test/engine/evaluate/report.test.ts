import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { byMetric } from '../../../src/core/evaluate/metrics.ts';
import type { Evaluation, ModeEvaluation } from '../../../src/engine/evaluate/evaluation.ts';
import { writeReport } from '../../../src/engine/evaluate/report.ts';
import { findChromium, openBrowser, WITHOUT_CHROMIUM } from '../../support/chromium.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const mode = (name: 'hybrid' | 'keyword', quality: number): ModeEvaluation => ({
  mode: name,
  metrics: byMetric(() => quality),
  intervals: byMetric(() => [quality - 0.05, quality + 0.05]),
  judged10: 0.62,
  latency: { p50: 4, p95: 12 },
  calibration: {
    answers: 3,
    error: 0.125,
    answerableError: 0.25,
    bins: [
      { from: 0.2, to: 0.3, count: 1, confidence: 0.25, correct: 0 },
      { from: 0.8, to: 0.9, count: 2, confidence: 0.85, correct: 1 },
    ],
  },
  perQuery: [7, 3, 5].map((milliseconds) => ({
    id: String(milliseconds),
    text: 'q',
    metrics: byMetric(() => quality),
    milliseconds,
  })),
});
const evaluation = (set: string): Evaluation => ({
  set,
  documents: 10,
  queries: 3,
  model: 'model',
  modes: [mode('hybrid', 0.5), mode('keyword', 0.25)],
  warnings: ['one <file> was left out'],
});

const folder = sharedFolder();

describe('a report', () => {
  it('as a page holds a table for each set and the three plots, and refers to nothing outside', async () => {
    const file = join(folder, 'report.html');
    await writeReport(file, [evaluation('tea'), evaluation('a<b')]);
    const page = readFileSync(file, 'utf8');
    expect(page.match(/<caption>[^<]*/g)).toEqual([
      '<caption>tea: 10 documents, 3 judged queries, model',
      '<caption>tea: confidence of the best hit',
      '<caption>a&#60;b: 10 documents, 3 judged queries, model',
      '<caption>a&#60;b: confidence of the best hit',
    ]);
    expect(page).toContain('<td>0.5000</td>');
    expect(page).toContain('one &#60;file&#62; was left out');
    expect(page.match(/<svg role="img" aria-label="\w+"/g)).toHaveLength(3);
    expect(page.replaceAll(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:|<script/);
  });

  it('as a page allows its own style and nothing else', async () => {
    const file = join(folder, 'policy.html');
    await writeReport(file, [evaluation('tea')]);
    const page = readFileSync(file, 'utf8');
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(page)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">\n`);
    expect(page.indexOf('<meta http-equiv')).toBeLessThan(page.indexOf('<title'));
    // These would need more than the hash of one style.
    expect(page).not.toMatch(/\s(style|on\w+)=/);
  });

  const executablePath = findChromium();
  const note = executablePath === undefined ? ` (${WITHOUT_CHROMIUM})` : '';
  it.skipIf(!executablePath)(`runs no script and loads no picture, were one to slip in${note}`, async () => {
    const file = join(folder, 'slipped.html');
    await writeReport(file, [evaluation('tea')]);
    const slipped =
      '<script>document.title="script"</script><img src="data:," onerror="document.title=\'event\'">' +
      '<style>h1 { color: rgb(1, 2, 3) }</style>';
    writeFileSync(file, readFileSync(file, 'utf8').replace('<h1>', `${slipped}<h1>`));
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const seen = await page.evaluate(`({
      title: document.title,
      heading: getComputedStyle(document.querySelector('h1')).color,
      table: getComputedStyle(document.querySelector('table')).borderCollapse,
    })`);
    expect(seen).toEqual({ title: 'Search quality: tea', heading: 'rgb(34, 34, 34)', table: 'collapse' });
  });

  it('as a page tells areas, what is refused and kept, and the comparison with an earlier run', async () => {
    const file = join(folder, 'compared.html');
    const hybrid = mode('hybrid', 0.5);
    const full: ModeEvaluation = {
      ...hybrid,
      calibration: { ...hybrid.calibration, area: 0.875 },
      refusal: { queries: 8, refused: 0.75, kept: 0.96, area: 0.9125 },
      comparison: [{ metric: 'ndcg10', difference: -0.0125, pValue: 0.04, better: 1, worse: 2, queries: 5 }],
    };
    const modes = [full, mode('keyword', 0.25)];
    await writeReport(file, [{ ...evaluation('tea'), modes, compareFile: 'a&b.trec' }]);
    const page = readFileSync(file, 'utf8');
    expect(page.match(/<caption>[^<]*/g)?.at(-1)).toBe(
      '<caption>tea: hybrid against a&#38;b.trec, query by query',
    );
    const rows = [...page.matchAll(/<tr>(<td>.*)<\/tr>/g)].map(([, cells]) =>
      cells!.split(/<\/?td>/).filter(Boolean),
    );
    expect(rows.slice(-4)).toEqual([
      ['hybrid', '0.125', '0.250', '0.875', '3'],
      ['keyword', '0.125', '0.250', '–', '3'],
      ['hybrid', '75.0 %', '96.0 %', '0.912', '8'],
      ['nDCG@10', '−0.0125', '0.0400', '1', '2', '2'],
    ]);
  });

  it('shows a set of any name as one line of text', async () => {
    const set = 'tea\n</table><script>\u001b[2J\u202e\u2028\u0085';
    const shown = 'tea␊&#60;/table&#62;&#60;script&#62;␛[2J\\u202e\\u2028\\u0085';
    const warnings = [set];
    for (const name of ['hostile.html', 'hostile.svg']) {
      const file = join(folder, name);
      await writeReport(file, [{ ...evaluation(set), warnings }, evaluation('other')]);
      const text = readFileSync(file, 'utf8');
      expect(text.replaceAll('\n', '')).not.toMatch(/<script|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      if (name.endsWith('.html')) {
        expect(text).toContain(`<caption>${shown}: 10 documents`);
        expect(text).toContain(`<p>${shown}</p>`);
      } else expect(text).toContain('tea␊&lt;/table&gt;');
    }
  });

  it('as a picture draws every mode: bars with intervals, bins, and times in rising order', async () => {
    const file = join(folder, 'report.SVG');
    await writeReport(file, [evaluation('tea')]);
    const picture = readFileSync(file, 'utf8');
    expect(picture).toMatch(/^<svg /);
    // Vega describes every mark for screen readers.
    const marks = [...picture.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label!);
    const times = (label: string) => marks.filter((mark) => mark === label).length;
    expect(times('mode: keyword; value: 0.25')).toBe(5);
    expect(times('mode: hybrid; low: 0.45; high: 0.55')).toBe(5);
    expect(times('confidence: 0.85; correct: 1; mode: hybrid; queries: 2')).toBe(1);
    expect(times('milliseconds: 3; share of queries: 0.333333333333; mode: hybrid')).toBe(1);
    const titles = marks.flatMap((mark) => /^Title text '(.*)'$/.exec(mark)?.[1] ?? []);
    expect(titles.slice(1, 6)).toEqual(['nDCG@5', 'nDCG@10', 'MRR@10', 'Recall@10', 'Hit@1']);
  });

  it('as a page has types with their intervals, one of something without an s, and cells of one line', async () => {
    const file = join(folder, 'types.html');
    const byType = {
      code: { queries: 1, metrics: byMetric(() => 0.75), intervals: byMetric(() => [0.5, 1] as const) },
    };
    const modes = [{ ...mode('hybrid', 0.5), byType }];
    await writeReport(file, [{ ...evaluation('tea'), documents: 1, queries: 1, modes }]);
    const page = readFileSync(file, 'utf8');
    expect(page).toContain('<caption>tea: 1 document, 1 judged query, model</caption>');
    expect(page).toMatch(
      /<td>code<\/td>(<td>0.7500<\/td>){5}<td>1<\/td><\/tr>\n<tr><td>95 %<\/td>(<td>0.50–1.00<\/td>){5}/,
    );
    expect(page).toContain('td { white-space: nowrap }');
  });

  it('counts queries in whole numbers', async () => {
    const file = join(folder, 'few.svg');
    await writeReport(file, [evaluation('tea')]);
    const picture = readFileSync(file, 'utf8');
    const labels = [...picture.matchAll(/role-legend-label.*?<text[^>]*>([^<]*)</g)].map(
      ([, label]) => label,
    );
    expect(labels).toEqual(expect.arrayContaining(['0', '1', '2']));
    expect(labels.filter((label) => label?.includes('.'))).toEqual([]);
  });

  it('under another name is refused', async () => {
    await expect(writeReport(join(folder, 'report.pdf'), [evaluation('tea')])).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('must be an .html or .svg file'),
    });
  });

  it('that cannot be written says so', async () => {
    await expect(writeReport(join(folder, 'no/r.svg'), [evaluation('tea')])).rejects.toMatchObject({
      code: 'storage',
    });
  });
});
