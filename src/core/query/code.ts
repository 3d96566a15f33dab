/** Makes the terms of a query for the code index, and detects whether a query asks for code. */
import type { QueryTerm } from '../model/query.ts';
import { analyzeCode } from '../text/identifiers.ts';
import { isStopWord } from '../text/stopwords.ts';
import { collectTokens, selectTerms } from './terms.ts';

/** @param text the query without operators */
export function codeQueryTerms(text: string): readonly QueryTerm[] {
  return selectTerms(
    collectTokens(text, { tokenize: analyzeCode }, isStopWord)
      .filter((token) => token.role !== 'character')
      .map((token) => ({
        term: token.term,
        surface: token.surface,
        prefix: false,
        ...(token.isStopWord && { stopWord: 'plain' as const }),
      })),
  );
}

/**
 * Whether a query shows signs of code: camelCase, snake_case, backticks, `::`, `->`, `call()`, operators, flags. Names that are
 * normally written like code, such as iOS and pH, are ignored.
 */
export function hasCodeSignal(text: string): boolean {
  const rest = text.replace(NAMES, ' ');
  return CODE_SIGNALS.some((signal) => signal.test(rest));
}

/** Names that look like code: one lower-case letter and then only capitals, and well-known product names. */
const NAMES =
  /(?<![\p{L}\p{N}_])(?:\p{Ll}\p{Lu}+|i(?:Phone|Pad|Pod|Mac|Cloud|Tunes)|(?:mac|tv|watch|iPad)OS|eBay)s?(?![\p{L}\p{N}_(])/gu;

/** `snake_case` or `__init__`. */
export const SNAKE_CASE = /[\p{L}\p{N}]_+[\p{L}\p{N}]|(?<![\p{L}\p{N}_])__[\p{L}\p{N}]/u;

const CODE_SIGNALS: readonly RegExp[] = [
  /`/,
  /\p{Ll}\p{Lu}/u, // camelCase
  /\p{Lu}{2}\p{Ll}{2}/u, // HTTPServer, but not APIs
  SNAKE_CASE,
  /\w::|::\w/,
  /\w->\w/,
  /\w\((?!(?:e?s|ies)\))[^()\s]*\)/, // call(), but not option(s)
  /=>|==|!=|&&|\|\||\+\+(?=\w)|[{};]\s*$|\[\]|<\/?[a-z][\w-]*>/,
  /(?<![\w-])--[a-z]/, // --flag
  /\$[A-Za-z_{]/, // $HOME
];
