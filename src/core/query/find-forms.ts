/** Lets a word find those that differ from it in accents and letter case alone, whatever their stems. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { fold } from '../text/fold.ts';

/**
 * The query with each term's other forms: words of the collection that differ in accents only. A stemmer respects
 * accents, so `preference` and `préférence` can have different stems.
 * @param termsOf index terms of the words of the collection that fold to this
 */
export function findForms(query: ParsedQuery, termsOf: (folded: string) => readonly string[]): ParsedQuery {
  const withForms = (term: QueryTerm): QueryTerm => {
    if (term.prefix || term.standsFor) return term;
    const forms = new Set([...(term.forms ?? []), ...termsOf(fold(term.surface))]);
    forms.delete(term.term);
    return forms.size === (term.forms?.length ?? 0) ? term : { ...term, forms: [...forms] };
  };
  return {
    ...query,
    terms: query.terms.map(withForms),
    required: query.required.map(withForms),
    excludedTerms: query.excludedTerms.map(withForms),
  };
}
