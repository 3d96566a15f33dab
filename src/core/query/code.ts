/** The code side of a query: its terms for the code index, and whether it asks for code at all. */
import type { QueryTerm } from '../model/query.ts';
import { analyzeCode } from '../text/identifiers.ts';
import { isStopWord } from '../text/stopwords.ts';
import { collectTokens, selectTerms } from './terms.ts';

/** The terms of a query, taken without its operators, for the code index. */
export function codeQueryTerms(text: string): readonly QueryTerm[] {
  return selectTerms(
    collectTokens(text, { tokenize: analyzeCode }, isStopWord)
      .filter((token) => token.role !== 'character')
      .map((token) => ({
        term: { term: token.term, surface: token.surface, prefix: false },
        isKept: !token.isStopWord,
      })),
  );
}

/**
 * Whether a query shows signs of code: camelCase, snake_case, backticks, `::`, `->`, `call()`, operators, flags. Names that
 * people write like that, such as iOS and pH, do not count.
 */
export function hasCodeSignal(text: string): boolean {
  const rest = text.replace(NAMES, ' ');
  return CODE_SIGNALS.some((signal) => signal.test(rest));
}

/** One small letter before capitals alone, and well-known names of things. */
const NAMES =
  /(?<![\p{L}\p{N}_])(?:\p{Ll}\p{Lu}+|i(?:Phone|Pad|Pod|Mac|Cloud|Tunes)|(?:mac|tv|watch|iPad)OS|eBay)s?(?![\p{L}\p{N}_(])/gu;

const CODE_SIGNALS: readonly RegExp[] = [
  /`/,
  /\p{Ll}\p{Lu}/u, // camelCase
  /\p{Lu}{2}\p{Ll}{2}/u, // HTTPServer, but not APIs
  /[\p{L}\p{N}]_+[\p{L}\p{N}]|(?<![\p{L}\p{N}_])__[\p{L}\p{N}]/u, // snake_case, __init__
  /\w::|::\w/,
  /\w->\w/,
  /\w\((?!(?:e?s|ies)\))[^()\s]*\)/, // call(), but not option(s)
  /=>|==|!=|&&|\|\||\+\+(?=\w)|[{};]\s*$|\[\]|<\/?[a-z][\w-]*>/,
  /(?<![\w-])--[a-z]/, // --flag
  /\$[A-Za-z_{]/, // $HOME
];
