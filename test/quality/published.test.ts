/** Answers from a server are as good as those of the index that was published there: of every third query, for time. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import { readJudgedSet } from '../../src/engine/evaluate/judged-set.ts';
import { onEachServer } from '../support/published/each-server.ts';
import { evaluatePublished } from '../support/published/evaluate-published.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
/** How far nDCG@10 may be from that of the embedded index. */
const BOUND = { postgres: 0.01, qdrant: 0.005 };

const work = sharedFolder();
const asked = {
  ...{ set: join(work, 'set'), modes: ['hybrid'] as const },
  // One index for both servers, so that the corpus is embedded once.
  open: { indexPath: join(work, 'index'), cwd: work },
};
let embedded: ReturnType<typeof evaluate> | undefined;

async function makeSet(): Promise<void> {
  const all = (await readJudgedSet(CORPUS)).queries.filter((_, at) => at % 3 === 0);
  cpSync(join(CORPUS, 'docs'), join(asked.set, 'docs'), { recursive: true });
  const queries = all.map(({ id, text }) => JSON.stringify({ _id: id, text }));
  writeFileSync(join(asked.set, 'queries.jsonl'), queries.join('\n'));
  const judged = all.flatMap(({ id, judgements }) =>
    [...judgements].map(([path, grade]) => `${id}\t${path}\t${grade}`),
  );
  writeFileSync(join(asked.set, 'qrels.tsv'), ['query-id\tcorpus-id\tscore', ...judged].join('\n'));
}

onEachServer('judged', ({ engine, at, settings }) => {
  test('judged queries are answered as well as by the embedded index', async () => {
    embedded ??= makeSet().then(() => evaluate(asked));
    const here = await embedded;
    const open = { ...asked.open, settings: { [engine]: settings } };
    const { evaluation } = await evaluatePublished({ ...asked, open, address: at('judged') });
    const [own, theirs] = [here, evaluation].map(({ modes }) => modes[0]!.metrics.ndcg10) as [number, number];
    expect([evaluation.queries, own > 0.8]).toEqual([37, true]);
    expect(Math.abs(theirs - own)).toBeLessThanOrEqual(BOUND[engine]);
  }, 300_000);
});
