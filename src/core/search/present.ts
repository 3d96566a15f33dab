/** Stage: reads the chunks of sure and unsure candidates, and makes hits with snippets from them. */
import { firstNewLine, lineInChunk } from '../model/chunk.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Hit, MergedPassage, Snippet } from '../model/hit.ts';
import type { ChunkRecord } from '../ports.ts';
import { codeQueryTerms } from '../query/code.ts';
import { languageFilter } from '../query/filter.ts';
import { longest } from '../rank/densest-window.ts';
import { type FindMatches, matchFinder } from '../rank/find-matches.ts';
import { codeStretches, matchingCode } from '../rank/matching-code.ts';
import { snippet } from '../rank/snippet.ts';
import type { ShownSection } from '../retrieval/retrieval.ts';
import { chooseAnalyzers } from '../text/analyzer.ts';
import { memoize } from '../text/memoize.ts';
import { pageAt } from '../text/place.ts';
import { chooseUnsure } from './choose-hits.ts';
import { explainFusion } from './fuse-candidates.ts';
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
  const makeSnippet = snippetMaker(state);
  const { query, explain } = state.request;
  const finderOf = memoize((collection: string) => matchFinder(query, analyzers.of(collection).tokenize));
  const hits = candidates.flatMap((candidate, index): Hit[] => {
    const record = chunks[index];
    const document = documents[index];
    if (!record || !document) return [];
    const { merged } = candidate;
    const find = finderOf(document.collection);
    const section = sections[index];
    // The text of the section begins later than an overlap from the section before.
    const isWhole = section === undefined || section.startLine <= record.startLine;
    const chunk = isWhole ? withMatchedOverlap(record, find) : record;
    const { startLine } = chunk;
    const { line, ...shownParts } =
      chunk.text.trim() === ''
        ? { line: startLine, snippet: descriptionOf(document, startLine) }
        : makeSnippet(candidate, chunk, find);
    const page = pageAt(document.pages, line);
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
        ...shown(chunk, section),
        ...shownParts,
        line,
        ...(page !== undefined && { page }),
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

/**
 * Makes the snippet of a page without visible text from its description, or else from its title. Such a page was found by
 * its front matter or name.
 */
function descriptionOf({ frontMatter, title }: CatalogDocument, startLine: number): Snippet {
  const said = [frontMatter.description, frontMatter.summary, frontMatter.desc].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  ) as string | undefined;
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
  const lines = [firstNewLine(chunk), chunk.endLine] as const;
  if (!section) return { startLine: lines[0], endLine: lines[1], text: chunk.text.slice(chunk.overlap) };
  const { startLine, endLine, text } = section;
  return { startLine, endLine, text, matchedLines: lines };
}

/** Makes snippets. Everything that is the same for all hits of a search is prepared once. */
function snippetMaker(state: SearchState) {
  const { query, filters } = state.request;
  const codeTerms = codeQueryTerms(query.plain);
  const accepts = [filters, query.filters].map(languageFilter);
  const idf = state.found.lanes.keyword?.idf;
  // A word that the keyword lane does not score has no idf; it still gets a small weight.
  const weigh = idf && ((term: string) => idf.get(term) || MIN_WEIGHT);
  return (candidate: Candidate, chunk: ChunkRecord, find: FindMatches) => {
    const blocks = chunk.codeBlocks.filter(({ language }) =>
      accepts.every((test) => !test || test([language])),
    );
    const matched = state.found.lanes.code?.scores[candidate.place]
      ? matchingCode(blocks, codeTerms)
      : undefined;
    // The language of the matching code block, or else of the first code block that names a language.
    const language = matched?.language || blocks.find((block) => block.language)?.language;
    const codeBlocks = codeStretches(chunk);
    const text = chunk.text.slice(chunk.overlap);
    const content = isFoundByCode(candidate, state)
      ? codeBlocks.find(({ block }) => block === matched)?.content
      : undefined;
    // A match of a whole name has the terms of its parts, too. Code with a part alone is not shown if the text has the whole name.
    const code =
      content && longest(find(text.slice(...content))) >= longest(find(text)) ? content : undefined;
    const options = { code, codeBlocks, ...(weigh ? { weigh } : {}) };
    const { start, best, ...cut } = snippet(text, find, options);
    return {
      snippet: { ...cut, startLine: lineInChunk(chunk, chunk.overlap + start) },
      /** The line for which the snippet was chosen, such as that of a whole name. */
      line: lineInChunk(chunk, chunk.overlap + best),
      ...(language ? { codeLanguage: language } : {}),
    };
  };
}

const MIN_WEIGHT = 0.01;

/** Whether the code lane gives the passage its highest score. */
function isFoundByCode({ place }: Candidate, { lanes }: SearchState): boolean {
  const best = lanes.code?.relative[place];
  return best !== undefined && Object.values(lanes).every(({ relative }) => relative[place]! <= best);
}

/**
 * Returns the chunk as a hit shows it. The overlap is shown only if a word of the query occurs nowhere else in the chunk: the
 * keyword index also has the words of the overlap, so the chunk may have been found by this word.
 */
function withMatchedOverlap(chunk: ChunkRecord, find: FindMatches): ChunkRecord {
  const { text, overlap } = chunk;
  const termsIn = (part: string) => find(part).flatMap(({ terms }) => terms);
  const said = overlap > 0 ? termsIn(text.slice(0, overlap)) : [];
  if (said.length === 0) return chunk;
  const others = new Set(termsIn(text.slice(overlap)));
  return said.every((term) => others.has(term)) ? chunk : { ...chunk, overlap: 0 };
}
