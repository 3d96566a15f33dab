/** Stage: reads the surviving chunks and shapes them into hits. */
import type { CatalogDocument } from '../indexes/catalog.ts';
import type { Hit, MergedPassage, Snippet } from '../model/hit.ts';
import type { ChunkRecord } from '../ports.ts';
import { firstNewLine } from './line-of.ts';
import { snippetMaker } from './show-snippet.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

export function present(state: SearchState, services: SearchServices): SearchState {
  const { catalog, readChunks } = services;
  const makeSnippet = snippetMaker(state, services);
  const chunks = new Map(
    readChunks(state.candidates.map(({ slot }) => slot)).map((chunk) => [chunk.slot, chunk]),
  );
  const hits = state.candidates.flatMap((candidate): Hit[] => {
    const chunk = chunks.get(candidate.slot);
    const document = catalog.documentOf(candidate.slot);
    if (!chunk || !document) return [];
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
        ...shown(candidate, chunk, services),
        ...(chunk.text.trim() === ''
          ? { snippet: descriptionOf(document, chunk.startLine) }
          : makeSnippet(candidate, chunk)),
        ...(chunk.parentId ? { parentId: chunk.parentId } : {}),
        tags: document.tags,
        modified: new Date(document.modified).toISOString(),
        ...(candidate.merged ? { merged: mergedPassages(candidate.merged, services) } : {}),
        ...(state.request.explain ? { explanation: explainScore(candidate) } : {}),
      },
    ];
  });
  return { ...state, hits: hits.map((hit, index) => ({ ...hit, rank: index + 1 })) };
}

/** A page of nothing but front matter is found by that; what it says of itself is all there is to show. */
function descriptionOf({ frontMatter }: CatalogDocument, startLine: number): Snippet {
  const said = [frontMatter.description, frontMatter.summary, frontMatter.desc].find(
    (value) => typeof value === 'string',
  );
  return { text: said ?? '', startLine, matches: [] };
}

function mergedPassages(slots: readonly number[], { catalog, firstLineOf }: SearchServices): MergedPassage[] {
  return slots.flatMap((slot): MergedPassage[] => {
    const document = catalog.documentOf(slot);
    const startLine = firstLineOf(slot);
    if (!document || startLine === undefined) return [];
    return [{ chunkId: catalog.idOf(slot), documentId: document.id, path: document.path, startLine }];
  });
}

/** The chunk, or the parent with the chunk's lines in it; headings, snippet and code stay the chunk's. */
function shown(
  candidate: Candidate,
  chunk: ChunkRecord,
  services: SearchServices,
): Pick<Hit, 'startLine' | 'endLine' | 'text' | 'matchedLines'> {
  const { endLine } = chunk;
  const startLine = firstNewLine(chunk);
  const parent = candidate.parentId && services.readParents([candidate.parentId])[0];
  if (!parent) return { startLine, endLine, text: chunk.text.slice(chunk.overlap) };
  return {
    startLine: parent.startLine,
    endLine: parent.endLine,
    text: parentText(chunk, services),
    // The overlap a chunk begins with may lie in the parent before.
    matchedLines: [Math.max(startLine, parent.startLine), endLine],
  };
}

/** Put together from the chunks it was cut into; the slots of a document are in the order of its text. */
function parentText({ document, parentId }: ChunkRecord, { catalog, readTexts }: SearchServices): string {
  return readTexts(catalog.slotsOf(document).filter((slot) => catalog.parentOf(slot) === parentId)).join('');
}

function explainScore(candidate: Candidate): NonNullable<Hit['explanation']> {
  return { label: 'score', value: candidate.score, parts: candidate.explanation };
}
