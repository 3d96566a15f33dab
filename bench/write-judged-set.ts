/** Writes a judged set in the format that `docfuse eval` reads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface MadeQuery {
  readonly query: string;
  readonly type: string;
  /** Grades by document. */
  readonly judgements: ReadonlyMap<string, number>;
}

/** Makes the folder where there is none. */
export async function writeJudgedSet(folder: string, made: readonly MadeQuery[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const queries = made.map(({ query, type }, index) =>
    JSON.stringify({ _id: `q${index}`, text: query, type }),
  );
  const judged = made.flatMap(({ judgements }, index) =>
    [...judgements].map(([path, grade]) => `q${index}\t${path}\t${grade}`),
  );
  await writeFile(join(folder, 'queries.jsonl'), `${queries.join('\n')}\n`);
  await writeFile(join(folder, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('\n')}\n`);
}
