/** Stage: reads the chunks of sure and unsure candidates, and makes hits from them. */
import { firstNewLine } from '../model/chunk.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Hit, MergedPassage, Snippet } from '../model/hit.ts';
import type { ChunkRecord } from '../ports.ts';
import type { ShownSection } from '../retrieval/retrieval.ts';
import { chooseAnalyzers } from '../text/analyzer.ts';
import { chooseUnsure } from './choose-hits.ts';
import { explainFusion } from './fuse-candidates.ts';
import { snippetMaker, withMatchedOverlap } from './show-snippet.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

export async function present(state: SearchState, services: SearchServices): Promise<SearchState> {
  const { retrieval, passageFacts, analyzers = chooseAnalyzers() } = services;
  const shownBelow = chooseUnsure(state);
  const candidates = await explainFusion(
    { ...state, candidates: [...state.candidates, ...shownBelow] },
    retrieval,
  );
  const places = candidates.flatMap(({ merged = [] }) => merged);
  const [chunks, documents, sections, mergedDocuments, mergedLines] = await Promise.all([
    retrieval.chunks(candidates.map(({ slot }) => slot)),
    retrieval.documents(candidates.map(({ document }) => document)),
    sectionsOf(candidates, retrieval),
    retrieval.documents(places.map((place) => state.found.documents[place]!)),
    passageFacts.firstLines(places.map((place) => state.found.slots[place]!)),
  ]);
  const passageAt = new Map<number, MergedPassage>();
  for (const [index, place] of places.entries()) {
    const [document, startLine] = [mergedDocuments[index], mergedLines[index]];
    if (!document || startLine === undefined) continue;
    const chunkId = state.found.ids[place]!;
    passageAt.set(place, { chunkId, documentId: document.id, path: document.path, startLine });
  }
  const makeSnippet = snippetMaker(state, services);
  const { query, explain } = state.request;
  const hits = candidates.flatMap((candidate, index): Hit[] => {
    const record = chunks[index];
    const document = documents[index];
    if (!record || !document) return [];
    const { merged } = candidate;
    const { tokenize } = analyzers.of(document.collection);
    const chunk = withMatchedOverlap(record, query, tokenize);
    const { snippet, ...code } =
      chunk.text.trim() === ''
        ? { snippet: descriptionOf(document, chunk.startLine) }
        : makeSnippet(candidate, chunk, document.collection);
    return [
      {
        rank: 0,
        score: candidate.score,
        confidence: candidate.trust ?? 'low',
        chunkId: candidate.id,
        documentId: document.id,
        collection: document.collection,
        path: document.path,
        title: document.title,
        headingPath: chunk.headingPath,
        ...shown(chunk, sections[index]),
        ...{ snippet, ...code, line: bestLine(snippet) },
        ...(chunk.parentId && { parentId: chunk.parentId }),
        tags: document.tags,
        modified: new Date(document.modified).toISOString(),
        ...(merged && { merged: merged.flatMap((place) => passageAt.get(place) ?? []) }),
        ...(explain && {
          explanation: { label: 'score', value: candidate.score, parts: candidate.explanation },
        }),
      },
    ];
  });
  const ranked = hits.map((hit, index) => ({ ...hit, rank: index + 1 }));
  const below = new Set(shownBelow.map(({ id }) => id));
  return {
    ...state,
    candidates: candidates.slice(0, state.candidates.length),
    hits: ranked.filter(({ chunkId }) => !below.has(chunkId)),
    unsureHits: ranked.filter(({ chunkId }) => below.has(chunkId)),
  };
}

/** The line of the longest match, such as a whole name. Without matches, the first line of the snippet. */
function bestLine({ text, startLine, matches }: Snippet): number {
  const [longest] = matches.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]));
  const before = text.slice(0, longest ? longest[0] : text.search(/\S|$/));
  return startLine + before.split('\n').length - 1;
}

/**
 * Makes the snippet of a page without visible text from its description, or else from its title. Such a page was found by
 * its front matter or name.
 */
function descriptionOf({ frontMatter, title }: CatalogDocument, startLine: number): Snippet {
  const said = [frontMatter.description, frontMatter.summary, frontMatter.desc].find(
    (value) => typeof value === 'string',
  );
  return { text: said ?? title, startLine, matches: [] };
}

/** Returns the parent of each candidate; undefined for a candidate that is not shown as its parent. */
async function sectionsOf(
  candidates: readonly Candidate[],
  retrieval: SearchServices['retrieval'],
): Promise<readonly (ShownSection | undefined)[]> {
  const wanted = candidates.flatMap(({ document, parentId }) =>
    parentId === undefined ? [] : [{ document, id: parentId }],
  );
  const sections = (await retrieval.sections(wanted)).values();
  return candidates.map(({ parentId }) => (parentId === undefined ? undefined : sections.next().value));
}

/** Returns text and lines of the chunk. With a parent: text and lines of the parent, and the lines of the chunk in it. */
function shown(
  chunk: ChunkRecord,
  section: ShownSection | undefined,
): Pick<Hit, 'startLine' | 'endLine' | 'text' | 'matchedLines'> {
  const { endLine } = chunk;
  const startLine = firstNewLine(chunk);
  if (!section) return { startLine, endLine, text: chunk.text.slice(chunk.overlap) };
  return {
    startLine: section.startLine,
    endLine: section.endLine,
    text: section.text,
    // If the overlap is shown, the chunk may begin in the previous parent.
    matchedLines: [Math.max(startLine, section.startLine), endLine],
  };
}
