/** What an index answers, in every way there is, as lines that can be compared. */
import type { SearchMode } from '../../src/core/model/query.ts';
import type { Index } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';

/** Questions with their answers. */
export type Answers = readonly (readonly [question: string, answer: string])[];

const MODES: readonly SearchMode[] = ['keyword', 'code', 'semantic', 'hybrid'];
const QUERIES = [
  ...['lantern', 'cellar orchard', 'harbour kettle granite', '"meadow violin"', 'title:violin', 'kettle3('],
];

/** Opens an index, brings it up to date and asks it. */
export async function answersOf(folder: string, indexPath: string, rebuild = false): Promise<Answers> {
  await using index = await open({ roots: [folder], indexPath });
  await index.sync({ rebuild });
  return await answersIn(index);
}

export async function answersIn(index: Index): Promise<Answers> {
  const answers: [string, string][] = [];
  for (const mode of MODES) {
    for (const query of QUERIES) {
      const { hits } = await index.search(query, { mode, topN: 30, minConfidence: 0 });
      const lines = hits.map((hit) => `${hit.path} ${hit.score.toFixed(6)} ${JSON.stringify(hit.text)}`);
      answers.push([`${mode} ${query}`, lines.join('\n')]);
    }
  }
  const { edges, nodes } = await index.graph();
  answers.push([
    'edges',
    edges.map(({ source, target, weight }) => `${source} ${target} ${weight}`).join('\n'),
  ]);
  answers.push([
    'communities',
    nodes.map(({ documentId, community }) => `${documentId} ${community}`).join('\n'),
  ]);
  for (const { documentId } of nodes.slice(0, 3)) {
    answers.push([`related ${documentId}`, JSON.stringify(await index.related(documentId, { depth: 2 }))]);
    answers.push([`read ${documentId}`, (await index.read(documentId)).text]);
  }
  const { documents, chunks, embedded, model } = (await index.status()).index;
  answers.push(['status', JSON.stringify({ documents, chunks, embedded, model })]);
  return answers;
}

/** @returns undefined when they are the same, else the first line that is not */
export function difference(found: Answers, wanted: Answers): string | undefined {
  const place = wanted.findIndex((answer, number) => answer.join() !== found[number]?.join());
  if (place < 0) return undefined;
  const [question, right] = wanted[place]!;
  const [lines, rightLines] = [(found[place]?.[1] ?? '').split('\n'), right.split('\n')];
  const line = rightLines.findIndex((text, number) => text !== lines[number]);
  return `the answer to “${question}” has ${lines.length} lines, not ${rightLines.length}; line ${line} is\n${lines[line]}\nand not\n${rightLines[line]}`;
}
