/** Parses texts to documents and builds index segments of their words. Needs only the texts, so it can run in a thread. */

import { type ChunkingSettings, chunkDocument } from './chunk/chunk-document.ts';
import { contentHash, embeddingText } from './chunk/chunk-head.ts';
import { createCodeRetriever } from './indexes/code.ts';
import { createDocumentIndex } from './indexes/documents.ts';
import { createKeywordRetriever } from './indexes/keyword.ts';
import type { Segment } from './indexes/segment.ts';
import { type DocumentTexts, passageEntries, wholeEntry } from './indexes/word-entries.ts';
import { parseDocument } from './markdown/parse-document.ts';
import type { NewDocument, SourceFile } from './ports.ts';
import type { SegmentKind } from './storage.ts';
import type { Analyzers } from './text/analyzer.ts';
import type { Digest } from './text/digest.ts';
import type { Tokenizer, TokenRole } from './text/token.ts';

export interface TextToRead {
  /** `<collection>/<path>`. */
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly text: string;
}

/** Everything that an index stores about a document, except size, times and hash, which the source of the document gives. */
export type ReadDocument = Omit<NewDocument, 'hash' | Exclude<keyof SourceFile, 'path'>>;

export interface ReadBatch {
  /** In the order of the texts. */
  readonly documents: readonly ReadDocument[];
  /** Segments by kind; undefined for a kind without words. Documents and passages have numbers from 0 within the batch. */
  readonly words: Readonly<Record<SegmentKind, Segment | undefined>>;
}

export interface ReadingRules {
  readonly analyzers: Analyzers;
  readonly chunking: ChunkingSettings;
  /** Returns the hash of a text, which is the key of its vector. */
  readonly hash: (text: string) => string;
  readonly digest: Digest;
}

export function readBatch(texts: readonly TextToRead[], rules: ReadingRules): ReadBatch {
  const documents: ReadDocument[] = [];
  const read: { readonly texts: DocumentTexts; readonly collection: string }[] = [];
  let slot = 0;
  for (const [number, { id, collection, path, text }] of texts.entries()) {
    const parsed = parseDocument(path, text);
    const { chunks, parents } = chunkDocument(id, parsed, rules.chunking, rules.digest);
    const vectorKeys = chunks.map((chunk) => rules.hash(embeddingText(chunk)));
    const contents = chunks.map((chunk) => contentHash(chunk, rules.digest));
    const { text: body, sections, blocks, contextPrefixes, codeBlocks, path: _, ...kept } = parsed;
    const { firstLine, frontMatter, links, warnings, ...fields } = kept;
    documents.push({
      id,
      collection,
      path,
      fields,
      firstLine,
      frontMatter,
      links,
      warnings,
      chunks,
      parents,
      vectorKeys,
      contents,
    });
    const slots = chunks.map(() => slot++);
    read.push({ collection, texts: { number, path, fields, chunks, slots } });
  }
  const analyzers = new Map(
    rules.analyzers.all.map((each) => [each, { ...each, tokenize: rememberTokens(each.tokenize) }]),
  );
  const analyzerOf = (collection: string) => analyzers.get(rules.analyzers.of(collection))!;
  const entries = read.flatMap(({ texts, collection }) => passageEntries(texts, analyzerOf(collection)));
  const whole = read.map(({ texts, collection }) => wholeEntry(texts, analyzerOf(collection)));
  const idOf = () => '';
  return {
    documents,
    words: {
      code: createCodeRetriever({ idOf, queryTerms: () => [] }).add(entries),
      documents: createDocumentIndex().add(whole),
      chunks: createKeywordRetriever({ idOf }).add(entries),
    },
  };
}

interface Tokens {
  readonly terms: string[];
  /** Position, start and end of each term. */
  readonly places: number[];
  readonly roles: TokenRole[];
  length: number;
}

/** Max total UTF-16 units of the texts whose tokens are kept; the tokens take about 20 MB. Later texts are tokenized each time. */
const MAX_KEPT = 1_500_000;

/** Tokenizes each text once. Most texts are indexed twice, for passage and document, and a title is indexed for every passage. */
export function rememberTokens(tokenize: Tokenizer, maxKept = MAX_KEPT): Tokenizer {
  const known = new Map<string, Tokens>();
  let kept = 0;

  function read(text: string): Tokens {
    const tokens: Tokens = { terms: [], places: [], roles: [], length: 0 };
    tokens.length = tokenize(text, (term, position, start, end, role) => {
      tokens.terms.push(term);
      tokens.places.push(position, start, end);
      tokens.roles.push(role);
    });
    known.set(text, tokens);
    kept += text.length;
    return tokens;
  }

  return (text, visit) => {
    const tokens = known.get(text) ?? (kept < maxKept ? read(text) : undefined);
    if (!tokens) return tokenize(text, visit);
    const { terms, places, roles, length } = tokens;
    for (let index = 0, at = 0; index < terms.length; index++, at += 3)
      visit(terms[index]!, places[at]!, places[at + 1]!, places[at + 2]!, roles[index]!);
    return length;
  };
}
