/** The tables that people read: each figure of another engine as a multiple of docfuse's in the same run. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured } from './measure.ts';

export interface PeerRow extends Omit<Measured, 'found'> {
  readonly name: string;
  readonly note: string;
  /** Of the exact best ten. */
  readonly recall?: number;
}

export interface PeerFigures {
  readonly words: readonly PeerRow[];
  readonly vectors: readonly PeerRow[];
}

const PAGE = join(import.meta.dirname, '../../docs/explain/speed.md');

/** A Markdown table. docfuse's own row has the figures, all others ratios: below 1 they need less. */
export function printTable(kind: keyof PeerFigures, rows: readonly PeerRow[]): string {
  const own = rows.find(({ name }) => name === 'docfuse')!;
  const unit = kind === 'words' ? 'passages' : 'vectors';
  const recall = kind === 'vectors' ? ' recall@10 |' : '';
  const head = `| ${own.units.toLocaleString('en')} ${unit} | index | query p50 | p95 | memory | disk |${recall} |`;
  const rule = `| --- | --- | --- | --- | --- | --- |${recall && ' --- |'} --- |`;
  const lines = rows.map((row) => {
    const isOwn = row === own;
    const ratio = (read: (row: PeerRow) => number, unit: string, digits: number) =>
      isOwn ? `${read(row).toFixed(digits)} ${unit}` : `× ${(read(row) / read(own)).toFixed(2)}`;
    const cells = [
      row.name,
      ratio((one) => one.buildSeconds, 's', 1),
      ratio((one) => one.p50, 'ms', 2),
      ratio((one) => one.p95, 'ms', 2),
      `${row.memoryMiB.toFixed(0)} MiB`,
      row.diskMiB > 0 ? `${row.diskMiB.toFixed(0)} MiB` : '–',
      ...(kind === 'vectors' ? [row.recall?.toFixed(3) ?? '–'] : []),
      row.note,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, rule, ...lines].join('\n');
}

/** Puts the tables between their marks in docs/explain/speed.md. */
export async function writeSpeedPage(figures: PeerFigures): Promise<void> {
  let page = await readFile(PAGE, 'utf8');
  for (const kind of ['words', 'vectors'] as const) page = withTable(page, kind, figures[kind]);
  await writeFile(PAGE, page);
}

/** @throws Error for a page without the marks */
export function withTable(page: string, kind: keyof PeerFigures, rows: readonly PeerRow[]): string {
  const [start, end] = [`<!-- ${kind} -->`, `<!-- /${kind} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/explain/speed.md has no ${start} … ${end}.`);
  return `${page.slice(0, from + start.length)}\n${printTable(kind, rows)}\n${page.slice(to)}`;
}
