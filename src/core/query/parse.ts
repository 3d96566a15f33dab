/** Parses a query into scored terms, required phrases, exclusions and filters. */
import type { Filters, ParsedQuery, Phrase, PhraseTerms, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { lastAtEachPosition } from '../text/plain-words.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { type Clause, FILTER_KEYS, type FilterField, readClauses } from './syntax.ts';
import {
  collectTokens,
  readTokens,
  respellings,
  type StopWordTest,
  selectTerms,
  stopWordTest,
  type Token,
  uniquePhrases,
} from './terms.ts';

/**
 * Parses the query syntax. Bad syntax is not an error; it is read as plain words.
 *
 * A quoted word is a phrase of one term. Phrases are required, except in a long question with few quoted words, where quotes
 * only mark a name. `title:word` is both scored and required. Phrases have no field: `-title:"two words"` excludes
 * the phrase in all fields.
 * @param analyzers analyzers for the languages of the documents. @default `AUTO_ANALYZER` alone
 */
export function parseQuery(query: string, analyzers: readonly Analyzer[] = [AUTO_ANALYZER]): ParsedQuery {
  const clauses = readClauses(query);
  const narrowing = clauses.filter(isFilter);
  const asked = clauses.filter((clause) => !isFilter(clause) && !clause.negated);
  const plain = plainText(asked);
  const reading = { analyzers, isStopWord: stopWordTest(plain, analyzers) };
  const excluded = clauses
    .filter((clause) => !isFilter(clause) && clause.negated)
    .map((clause) => readExclusion(clause, reading));
  const titles = asked.filter((clause) => clause.field === 'title');
  const terms = selectTerms(asked.flatMap((clause) => readTerms(clause, reading)));
  const phrases = asked
    .filter((clause) => clause.quoted && clause.field === undefined)
    .flatMap((clause) => readPhrase(clause, reading));
  return {
    text: asked.map(({ text, quoted }) => (quoted ? `"${text}"` : text)).join(' '),
    plain,
    words: lastAtEachPosition(
      readTokens(plain, analyzers, reading.isStopWord).filter(({ role }) => role === 'word'),
    ),
    terms,
    phrases: areDemanded(phrases, terms) ? phrases : [],
    required: selectTerms(titles.flatMap((clause) => readRequired(clause, reading))),
    excludedTerms: selectTerms(excluded.flatMap((each) => each.terms)),
    excludedPhrases: excluded.flatMap(({ phrases }) => phrases),
    filters: readFilters(narrowing),
  };
}

/** How the words of a query are read. */
interface Reading {
  readonly analyzers: readonly Analyzer[];
  readonly isStopWord: StopWordTest;
}

/** Quoted words are required if they are at least this share of all words (measured on cisi and cacm: +2 points of nDCG@10). */
const DEMANDING_SHARE = 1 / 3;

function areDemanded(phrases: readonly Phrase[], terms: readonly QueryTerm[]): boolean {
  const quoted = phrases.reduce((sum, phrase) => sum + phrase.terms.length, 0);
  const all = terms.reduce((sum, term) => sum + (term.count ?? 1), 0);
  return quoted >= all * DEMANDING_SHARE;
}

function isFilter(clause: Clause): clause is Clause & { readonly field: FilterField } {
  return clause.field !== undefined && clause.field !== 'title';
}

function readFilters(clauses: readonly (Clause & { readonly field: FilterField })[]): Filters {
  const values: Partial<Record<(typeof FILTER_KEYS)[FilterField][number], string[]>> = {};
  for (const { field, negated, text } of clauses) {
    const key = FILTER_KEYS[field][negated ? 1 : 0];
    const value = field === 'tag' ? text.replace(/^#/, '') : field === 'lang' ? text.toLowerCase() : text;
    values[key] ??= [];
    if (!values[key].includes(value)) values[key].push(value);
  }
  return values;
}

/** Returns the text for the embedding model; empty if it has no letter or digit. */
function plainText(clauses: readonly Clause[]): string {
  const plain = clauses
    .map((clause) => clause.text.replace(/["“”„‟«»＂]/g, '').trim())
    .filter((text) => text !== '')
    .join(' ');
  return /[\p{L}\p{N}]/u.test(plain) ? plain : '';
}

function readTerms(clause: Clause, reading: Reading): readonly QueryTerm[] {
  if (clause.prefix) return [prefixTerm(clause)];
  return readTokens(clause.text, reading.analyzers, reading.isStopWord)
    .filter((token) => token.role !== 'character')
    .map((token) => {
      const term = plainTerm(token, clause);
      return token.isStopWord ? { ...term, stopWord: clause.quoted ? 'quoted' : 'plain' } : term;
    });
}

/** Returns all words, including stop words. A compound is read as its parts: `title:well-known` also finds `Well known`. */
function readRequired(clause: Clause, reading: Reading): readonly QueryTerm[] {
  if (clause.prefix) return [prefixTerm(clause)];
  return readTokens(clause.text, reading.analyzers, reading.isStopWord)
    .filter((token) => token.role === 'word')
    .map((token) => plainTerm(token, clause));
}

/** Reads a phrase. A compound is read as its parts, so that `well-known` and `well known` match each other. */
function readPhrase({ text }: Clause, { analyzers, isStopWord }: Reading): readonly Phrase[] {
  const ways = [...analyzers.map((analyzer) => [text, analyzer] as const), ...respellings(text, analyzers)];
  const readings = ways
    .map(([written, analyzer]) => phraseTerms(written, analyzer, isStopWord))
    .filter(({ length }) => length > 0);
  const [terms, ...others] = uniquePhrases(readings);
  if (terms === undefined) return [];
  return [{ text, terms, ...(others.length > 0 && { others }) }];
}

function phraseTerms(text: string, analyzer: Analyzer, isStopWord: StopWordTest): PhraseTerms {
  const tokens = collectTokens(text, analyzer, isStopWord).filter((token) => token.role === 'word');
  const origin = tokens[0]?.position ?? 0;
  return tokens.map(({ term, position }) => ({ term, position: position - origin }));
}

/** Reads an exclusion. One word excludes its term. Several words, also those of a compound, are excluded as a phrase. */
function readExclusion(clause: Clause, reading: Reading) {
  if (clause.prefix) return { terms: [prefixTerm(clause)], phrases: [] };
  const tokens = readTokens(clause.text, reading.analyzers, reading.isStopWord);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return { terms: [], phrases: [] };
  // If the first and the last token end at the same offset, the first token is the only word or the whole compound.
  const whole = first.end >= last.end ? [first] : [];
  return {
    terms: whole.map((token) => plainTerm(token, clause)),
    phrases: last.position > first.position ? readPhrase(clause, reading) : [],
  };
}

function plainTerm({ term, surface, forms }: Token, { field }: Clause): QueryTerm {
  const ofTitle = field === 'title' && { field };
  return { term, surface, prefix: false, ...(forms && { forms }), ...ofTitle };
}

function prefixTerm({ text, field }: Clause): QueryTerm {
  const term = fold(text).slice(0, MAX_TERM_LENGTH);
  return { term, surface: text, prefix: true, ...(field === 'title' && { field }) };
}
