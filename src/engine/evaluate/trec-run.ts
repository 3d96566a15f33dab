/** Reads and writes TREC runs: files with the ranking of each query, which other scorers can read. */
import { readFile, writeFile } from 'node:fs/promises';
import { DocfuseError } from '../../core/errors.ts';
import { cannotWrite } from './write-file.ts';

export interface RunEntry {
  readonly document: string;
  readonly score: number;
}

/** Documents per query id, best first. */
export type Run = ReadonlyMap<string, readonly RunEntry[]>;

/** Stands for the document of a query without hits: scorers then see that the query was asked, and give it the score 0. */
const NOTHING = '(nothing)';

/** Scores are written in steps of this size. */
const STEP = 1e-6;

/**
 * Writes a run, replacing the file. A query without documents has one line, too.
 * @param tag name of the run, the last column
 * @throws DocfuseError `judgements` if a query id contains a space, `storage` if the file cannot be written
 */
export async function writeRun(file: string, run: Run, tag: string): Promise<void> {
  const lines: string[] = [];
  for (const [query, entries] of run) {
    if (/\s/.test(query)) {
      throw new DocfuseError(
        'judgements',
        `The query id "${query}" contains a space, which a TREC run cannot store.`,
        'Rename it in queries.jsonl and qrels.tsv, or leave out the run file.',
      );
    }
    const ranked = entries.length > 0 ? entries : [{ document: NOTHING, score: 0 }];
    for (const [index, score] of fallingScores(ranked).entries()) {
      lines.push(`${query} Q0 ${ranked[index]!.document} ${index + 1} ${score} ${tag}\n`);
    }
  }
  await writeFile(file, lines.join('')).catch(cannotWrite(file));
}

/**
 * Reads a run as trec_eval does: ordered by score as a 32-bit float, equal scores by document id in descending order.
 * The column of ranks is ignored.
 * @throws DocfuseError `not_found` without the file, `judgements` naming the line that is not a line of a run
 */
export async function readRun(file: string): Promise<Run> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new DocfuseError('not_found', `Cannot read the run ${file}.`, 'Check the path of the run file.', {
      cause,
    });
  });
  const run = new Map<string, RunEntry[]>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    // A line is `query Q0 document rank score tag`. `columns` includes the spaces, because a document id may contain spaces.
    const columns = line.trim().split(/(\s+)/);
    const [query, document, score] = [columns[0]!, columns.slice(4, -6).join(''), columns.at(-3)];
    if (document === '' || !Number.isFinite(Number(score))) {
      throw new DocfuseError(
        'judgements',
        `${file}:${index + 1} is not a line of a TREC run.`,
        'Each line needs: query-id Q0 document-id rank score tag.',
      );
    }
    const entries = run.get(query) ?? [];
    if (document !== NOTHING) entries.push({ document, score: Number(score) });
    run.set(query, entries);
  }
  for (const entries of run.values()) {
    entries.sort((a, b) => Math.fround(b.score) - Math.fround(a.score) || (a.document < b.document ? 1 : -1));
  }
  return run;
}

/**
 * Returns the scores to write. A score that is not lower than the score before is written one step below it. Scorers sort by
 * score and then by document id, so equal scores would change our ranking. The 32-bit floats of trec_eval can store the step.
 */
function fallingScores(entries: readonly RunEntry[]): string[] {
  let ceiling = Number.POSITIVE_INFINITY;
  return entries.map(({ score }) => {
    const steps = Math.min(Math.round(score / STEP), ceiling);
    ceiling = steps - 1;
    return (steps * STEP).toFixed(6);
  });
}
