/** Stage: reads the surviving chunks and shapes them into hits. */
import type { Hit } from '../model/hit.ts';
import { snippet } from '../rank/snippet.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

export function present(state: SearchState, { catalog, readChunks }: SearchServices): SearchState {
  const { query } = state.request;
  const chunks = new Map(
    readChunks(state.candidates.map(({ slot }) => slot)).map((chunk) => [chunk.slot, chunk]),
  );
  const hits = state.candidates.flatMap((candidate): Hit[] => {
    const chunk = chunks.get(candidate.slot);
    const document = catalog.documentOf(candidate.slot);
    if (!chunk || !document) return [];
    const codeLanguage = chunk.codeBlocks.find((block) => block.language)?.language;
    return [
      {
        rank: 0,
        score: candidate.score,
        chunkId: candidate.id,
        documentId: document.id,
        collection: document.collection,
        path: document.path,
        title: document.title,
        headingPath: chunk.headingPath,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        text: chunk.text.slice(chunk.overlap),
        snippet: snippet(chunk.text.slice(chunk.overlap), query),
        ...(chunk.parentId ? { parentId: chunk.parentId } : {}),
        tags: document.tags,
        modified: new Date(document.modified).toISOString(),
        ...(codeLanguage ? { codeLanguage } : {}),
        ...(state.request.explain ? { explanation: explainScore(candidate) } : {}),
      },
    ];
  });
  return { ...state, hits: hits.map((hit, index) => ({ ...hit, rank: index + 1 })) };
}

function explainScore(candidate: Candidate): NonNullable<Hit['explanation']> {
  return { label: 'score', value: candidate.score, parts: candidate.explanation };
}
