/** Serving a folder over HTTP from a program, and asking it as any client would. */
import { startServer } from 'docfuse/http';

/** @param folder with Markdown files */
export async function answer(folder: string, question: string): Promise<readonly string[]> {
  const server = await startServer({ open: { roots: [folder] }, port: 0 });
  try {
    const query = new URLSearchParams({ query: question, top_n: '3' });
    const response = await fetch(`${server.url}/api/search?${query}`);
    if (!response.ok) throw new Error(`The server answers ${response.status}.`);
    const { hits } = (await response.json()) as { hits: readonly { path: string; score: number }[] };
    return hits.map((hit) => `${hit.path}  ${hit.score.toFixed(2)}`);
  } finally {
    await server.close();
  }
}

if (import.meta.main) {
  const [folder = 'examples/notes', question = 'how do I rotate tokens'] = process.argv.slice(2);
  console.log((await answer(folder, question)).join('\n'));
}
