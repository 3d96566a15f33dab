/** Searching a folder from a program: bring the index up to date, ask, read on, follow links. */
import { open } from 'docfuse';

/** @param folder with Markdown files */
export async function answer(folder: string, question: string): Promise<readonly string[]> {
  await using index = await open({ roots: [folder] });
  await index.sync();
  const { hits, notice } = await index.search(question, { topN: 3 });
  if (notice) return [notice];
  const lines = hits.map((hit) => `${hit.path}:${hit.line}  ${hit.title}  ${hit.score.toFixed(2)}`);
  const { text } = await index.read(hits[0]!.documentId, { maxChars: 200 });
  const { similar } = await index.related(hits[0]!.documentId);
  return [
    ...lines,
    text.trim().split('\n')[0]!,
    ...similar.slice(0, 1).map(({ path }) => `similar: ${path}`),
  ];
}

if (import.meta.main) {
  const [folder = 'examples/notes', question = 'how do I rotate tokens'] = process.argv.slice(2);
  console.log((await answer(folder, question)).join('\n'));
}
