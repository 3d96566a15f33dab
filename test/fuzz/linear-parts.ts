/** Everything that reads text of any length from outside, and must take time in proportion to it. */
import { chunkDocument, DEFAULT_CHUNKING } from '../../src/core/chunk/chunk-document.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import { classify } from '../../src/core/query/classify.ts';
import { codeQueryTerms, hasCodeSignal, parseQuery } from '../../src/core/query/parse.ts';
import { snippet } from '../../src/core/rank/snippet.ts';
import { findAcronyms } from '../../src/core/text/acronyms.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { analyzeCode } from '../../src/core/text/identifiers.ts';
import { plainMarkdown } from '../../src/core/text/plain-markdown.ts';
import { encodeTokens } from './token-target.ts';

const QUERY = parseQuery('token "two words" title:x pre*');

export const linearParts: Readonly<Record<string, (text: string) => void>> = {
  reading: (text) => void parseDocument('a.md', text),
  chunking(text) {
    const document = parseDocument('a.md', text);
    chunkDocument('v/a.md', document, DEFAULT_CHUNKING);
    chunkDocument('v/a.md', document, { ...DEFAULT_CHUNKING, strategy: 'fixed' });
  },
  query(text) {
    codeQueryTerms(parseQuery(text).plain);
    hasCodeSignal(text);
    classify(text);
  },
  prose: (text) => void analyze(text, () => {}),
  identifiers: (text) => void analyzeCode(text, () => {}),
  tokens: (text) => void encodeTokens(text),
  acronyms: (text) => void findAcronyms(text),
  plain: (text) => void plainMarkdown(text),
  snippet: (text) => void snippet(`token ${text}`, QUERY),
};
