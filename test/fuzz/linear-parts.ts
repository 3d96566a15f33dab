/** Everything that reads text of any length from outside, and must take time in proportion to it. */
import { loadAnalyzer } from '../../src/adapters/languages/load-analyzers.ts';
import { decodeText } from '../../src/adapters/source/decode-text.ts';
import { ignoreRules } from '../../src/adapters/source/ignore-rules.ts';
import { chunkDocument, DEFAULT_CHUNKING } from '../../src/core/chunk/chunk-document.ts';
import { findEdges } from '../../src/core/graph/link-edges.ts';
import { findAcronyms } from '../../src/core/indexes/acronyms.ts';
import { createCodeRetriever } from '../../src/core/indexes/code.ts';
import { createKeywordRetriever } from '../../src/core/indexes/keyword.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import { classify } from '../../src/core/query/classify.ts';
import { codeQueryTerms, hasCodeSignal } from '../../src/core/query/code.ts';
import { correctSpelling } from '../../src/core/query/correct-spelling.ts';
import { globMatcher, MAX_GLOB_LENGTH } from '../../src/core/query/glob.ts';
import { expandAcronyms, splitWords } from '../../src/core/query/name-forms.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { readTokens } from '../../src/core/query/terms.ts';
import { matchFinder } from '../../src/core/rank/find-matches.ts';
import { snippet } from '../../src/core/rank/snippet.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { analyzeCode } from '../../src/core/text/identifiers.ts';
import { plainMarkdown } from '../../src/core/text/plain-markdown.ts';
import { isStopWord } from '../../src/core/text/stopwords.ts';
import { memoryIndex } from '../support/memory-services.ts';
import { encodeTokens } from './token-target.ts';

const { keyword } = memoryIndex([
  { path: 'a.md', text: 'A user interface (UI) has a title and text.' },
]).parts;
const isWord = () => false;

const QUERY = parseQuery('token "two words" title:x pre*');

/** Rules that regular expressions take powers of time for. */
const RULES = ignoreRules(
  ['**/a/'.repeat(12), '*a'.repeat(12), '/**/*a*/b/**', '[!a]*[a-c]?', '*.md'].join('x\n'),
);
const DEEP = `${'a/'.repeat(60)}${'a'.repeat(60)}.md`.split('/');

const GLOBS = ['**/a/'.repeat(12), '*a'.repeat(12), '{*a,**/}b*', '*?'.repeat(12)].map((glob) =>
  globMatcher(glob),
);

const [french, japanese] = await Promise.all([loadAnalyzer('fr'), loadAnalyzer('ja')]);

export const linearParts: Readonly<Record<string, (text: string) => void>> = {
  reading: (text) => void parseDocument('a.md', text),
  chunking(text) {
    const document = parseDocument('a.md', text);
    chunkDocument('v/a.md', document, DEFAULT_CHUNKING);
    chunkDocument('v/a.md', document, { ...DEFAULT_CHUNKING, strategy: 'fixed' });
  },
  indexing(text) {
    const document = parseDocument('a.md', text);
    const { chunks } = chunkDocument('v/a.md', document, DEFAULT_CHUNKING);
    const entries = chunks.map((chunk, slot) => ({ slot, chunk, document }));
    createKeywordRetriever({ idOf: String }).add(entries);
    createCodeRetriever({ idOf: String, queryTerms: codeQueryTerms }).add(entries);
    findEdges([{ ...document, number: 0, collection: 'v' }], () => document.links);
  },
  query(text) {
    codeQueryTerms(parseQuery(text).plain);
    hasCodeSignal(text);
    classify(text);
  },
  // Every word is known, and as often apart as together.
  splitting: (text) =>
    void splitWords(parseQuery(text), { countOf: () => 1, countOfPhrase: () => 1, isStopWord }),
  spelling: (text) =>
    void correctSpelling(parseQuery(text), {
      countOf: keyword.countOf,
      nearWords: keyword.nearWords,
      isWord,
      isStopWord,
    }),
  shortForms: (text) => void expandAcronyms(parseQuery(text), { ...keyword, isWord }),
  prose: (text) => void analyze(text, () => {}),
  identifiers: (text) => void analyzeCode(text, () => {}),
  tokens: (text) => void encodeTokens(text),
  acronyms: (text) => void findAcronyms(text),
  plain: (text) => void plainMarkdown(text),
  ignoring(text) {
    for (const { hits } of ignoreRules(text)) hits(DEEP, false);
    const names = text.split('/');
    for (const { hits } of RULES) hits(names, false);
  },
  globbing(text) {
    const path = DEEP.join('/');
    globMatcher(text.slice(0, MAX_GLOB_LENGTH))(path);
    for (const matches of GLOBS) matches(text);
  },
  decoding: (text) => void decodeText(Buffer.from(text, 'latin1')),
  french: (text) => void french.tokenize(text, () => {}),
  japanese: (text) => void readTokens(text, [japanese]),
  snippet: (text) => void snippet(`token ${text}`, matchFinder(QUERY)),
};
