/** Takes a query apart: scored terms, required phrases, exclusions and filters. */
import type { Filters, ParsedQuery, Phrase, QueryTerm } from '../model/query.ts';
import { tokenizeText } from '../text/analyze.ts';
import { fold } from '../text/fold.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { type Clause, type QueryField, readClauses } from './syntax.ts';
import { type Candidate, collectTokens, selectTerms, type Token } from './terms.ts';

export { codeQueryTerms, hasCodeSignal } from './code.ts';

/**
 * Parses the query syntax; bad syntax is never an error but is read as plain words.
 *
 * A quoted word is a phrase of one term. Phrases are required unless they are a small part of a long question, which
 * then only names something in quotes. `title:word` is both scored and required. Phrases know no field, so `-title:"two words"` excludes the phrase wherever it stands.
 */
export function parseQuery(text: string): ParsedQuery {
  const clauses = readClauses(text);
  const narrowing = clauses.filter(isFilter);
  const asked = clauses.filter((clause) => !isFilter(clause) && !clause.negated);
  const excluded = clauses.filter((clause) => !isFilter(clause) && clause.negated).map(readExclusion);
  const titles = asked.filter((clause) => clause.field === 'title');
  const terms = selectTerms(asked.flatMap(readCandidates));
  const phrases = asked.filter((clause) => clause.quoted && clause.field === undefined).flatMap(readPhrase);
  return {
    text,
    plain: plainText(asked),
    terms,
    phrases: areDemanded(phrases, terms) ? phrases : [],
    required: selectTerms(titles.flatMap(readRequired)),
    excludedTerms: selectTerms(excluded.flatMap(({ candidates }) => candidates)),
    excludedPhrases: excluded.flatMap(({ phrases }) => phrases),
    filters: readFilters(narrowing),
  };
}

/** Quotes below this share of a query's words are no demand (measured on cisi and cacm: +2 points of nDCG@10). */
const DEMANDING_SHARE = 1 / 3;

function areDemanded(phrases: readonly Phrase[], terms: readonly QueryTerm[]): boolean {
  const quoted = phrases.reduce((sum, phrase) => sum + phrase.terms.length, 0);
  const all = terms.reduce((sum, term) => sum + (term.count ?? 1), 0);
  return quoted >= all * DEMANDING_SHARE;
}

type FilterField = Exclude<QueryField, 'title'>;

/** Which key of the filters a field fills, plainly and negated. */
const FILTER_KEYS = {
  tag: ['tag', 'notTag'],
  path: ['path', 'exclude'],
  author: ['author', 'notAuthor'],
  category: ['category', 'notCategory'],
  lang: ['lang', 'notLang'],
} as const satisfies Record<FilterField, readonly [keyof Filters, keyof Filters]>;

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

/** What the embedding model reads; empty when no letter or digit is left. */
function plainText(clauses: readonly Clause[]): string {
  const plain = clauses
    .map((clause) => clause.text.replace(/["“”„‟«»＂]/g, '').trim())
    .filter((text) => text !== '')
    .join(' ');
  return /[\p{L}\p{N}]/u.test(plain) ? plain : '';
}

function readCandidates(clause: Clause): readonly Candidate[] {
  const field = clause.field === 'title' ? ({ field: 'title' } as const) : {};
  if (clause.prefix) return [{ term: { ...prefixTerm(clause.text), ...field }, isKept: true }];
  return collectTokens(clause.text, tokenizeText)
    .filter((token) => token.role !== 'character')
    .map((token) => ({
      term: { ...plainTerm(token), ...field },
      isKept: clause.quoted || !token.isStopWord,
    }));
}

/** Every word, stop words too; of a compound its parts, so that either spelling of a title will do. */
function readRequired(clause: Clause): readonly Candidate[] {
  if (clause.prefix) return readCandidates(clause);
  return collectTokens(clause.text, tokenizeText)
    .filter((token) => token.role === 'word')
    .map((token) => ({ term: { ...plainTerm(token), field: 'title' as const }, isKept: true }));
}

/** Of a compound only the parts, so that `well-known` and `well known` match each other. */
function readPhrase({ text }: Clause): readonly Phrase[] {
  const tokens = collectTokens(text, tokenizeText).filter((token) => token.role === 'word');
  const first = tokens[0];
  if (first === undefined) return [];
  return [
    { text, terms: tokens.map(({ term, position }) => ({ term, position: position - first.position })) },
  ];
}

interface Exclusion {
  readonly candidates: readonly Candidate[];
  readonly phrases: readonly Phrase[];
}

/** A word excludes its term; more than one position (a phrase, the parts of a compound) is excluded as a phrase. */
function readExclusion(clause: Clause): Exclusion {
  if (clause.prefix) return { candidates: readCandidates(clause), phrases: [] };
  const field = clause.field === 'title' ? ({ field: 'title' } as const) : {};
  const tokens = collectTokens(clause.text, tokenizeText);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return { candidates: [], phrases: [] };
  // The first token is the whole of a compound if it reaches as far as the last one.
  const terms = first.end >= last.end ? [first] : [];
  return {
    candidates: terms.map((token) => ({ term: { ...plainTerm(token), ...field }, isKept: true })),
    phrases: last.position > first.position ? readPhrase(clause) : [],
  };
}

function plainTerm({ term, surface }: Token): QueryTerm {
  return { term, surface, prefix: false };
}

function prefixTerm(surface: string): QueryTerm {
  return { term: fold(surface).slice(0, MAX_TERM_LENGTH), surface, prefix: true };
}
