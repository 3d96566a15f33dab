import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byMetric } from '../../../src/core/evaluate/metrics.ts';
import type { Evaluation, ModeEvaluation } from '../../../src/engine/evaluate/evaluation.ts';
import { writeReport } from '../../../src/engine/evaluate/report.ts';

const mode = (name: 'hybrid' | 'keyword', quality: number): ModeEvaluation => ({
  mode: name,
  metrics: byMetric(() => quality),
  intervals: byMetric(() => [quality - 0.05, quality + 0.05]),
  latency: { p50: 4, p95: 12 },
  calibration: {
    answers: 3,
    error: 0.125,
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

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docfuse-report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a report', () => {
  it('as a page holds a table for each set and the three plots, and refers to nothing outside', async () => {
    const file = join(folder, 'report.html');
    await writeReport(file, [evaluation('tea'), evaluation('a<b')]);
    const page = readFileSync(file, 'utf8');
    expect(page.match(/<caption>[^<]*/g)).toEqual([
      '<caption>tea: 10 documents, 3 judged queries, model',
      '<caption>a&#60;b: 10 documents, 3 judged queries, model',
    ]);
    expect(page).toContain('<td>0.5000</td>');
    expect(page).toContain('one &#60;file&#62; was left out');
    expect(page.match(/<svg role="img" aria-label="\w+"/g)).toHaveLength(3);
    expect(page.replaceAll(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:|<script/);
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

  it('under another name is refused', async () => {
    await expect(writeReport(join(folder, 'report.pdf'), [evaluation('tea')])).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('neither .html nor .svg'),
    });
  });

  it('that cannot be written says so', async () => {
    await expect(writeReport(join(folder, 'no/r.svg'), [evaluation('tea')])).rejects.toMatchObject({
      code: 'storage',
    });
  });
});
