/** An index in a web page: texts in, hits out, nothing but the page. The vectors come from wherever you have them. */
import { createMemoryIndex } from 'docfuse/core';

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Texts by words, links and code; no model is needed. */
export async function searchByWords(
  texts: Readonly<Record<string, string>>,
  query: string,
): Promise<readonly string[]> {
  const index = createMemoryIndex({ clock });
  await index.add(Object.entries(texts).map(([path, text]) => ({ path, text })));
  const hits = await index.search(query);
  return hits.map(({ path, startLine }) => `${path}:${startLine}`);
}

/** The same by meaning, too: `embed` answers with unit vectors, computed elsewhere or fetched. */
export async function searchByMeaning(
  texts: Readonly<Record<string, string>>,
  query: string,
  dimensions: number,
  embed: (text: string) => Promise<Float32Array>,
): Promise<readonly string[]> {
  const embedPassages = (passages: readonly string[]) => Promise.all(passages.map(embed));
  const index = createMemoryIndex({ clock, embedder: { dimensions, embedQuery: embed, embedPassages } });
  await index.add(Object.entries(texts).map(([path, text]) => ({ path, text })));
  const hits = await index.search(query, { mode: 'semantic', minConfidence: 0 });
  return hits.map(({ path, startLine }) => `${path}:${startLine}`);
}
