/** Publishes the index of a judged set, and evaluates the set with the publication. */
import { dirname } from 'node:path';
import type { OpenOptions } from '../../../src/engine/api.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { openToRank, readJudgedSet } from '../../../src/engine/evaluate/judged-set.ts';
import { open } from '../../../src/engine/open.ts';

interface Published {
  readonly set: string;
  readonly modes: readonly ('hybrid' | 'keyword' | 'semantic')[];
  /** Index and settings of the machine with the documents. */
  readonly open: OpenOptions & { readonly indexPath: string };
  /** Of the publication that the settings name. */
  readonly address: string;
}

/** @returns the evaluation, and how long publishing took */
export async function evaluatePublished({ set, modes, open: own, address }: Published) {
  const { indexPath, settings = {} } = own;
  await using index = await open(openToRank(await readJudgedSet(set), own));
  const began = performance.now();
  await index.sync({ publish: true });
  const milliseconds = performance.now() - began;
  await using search = await open({ indexPath: address, cwd: dirname(indexPath), settings });
  const ask = (_: unknown, query: string, options: object) => search.search(query, options);
  return { milliseconds, evaluation: await evaluate({ set, modes, open: own, ask }) };
}
