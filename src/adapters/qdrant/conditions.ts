/** Compiles the filters and words of a request to conditions on the payload. */
import type { Filters, QueryTerm } from '../../core/model/query.ts';
import { languageOf } from '../../core/query/filter.ts';
import { keyTests } from '../../core/query/filter-keys.ts';
import type { Condition, Filter } from './client.ts';
import { dimensionOf } from './schema.ts';

/** Conditions that all must hold, and conditions none of which may hold. */
export interface Conditions {
  readonly must: readonly Condition[];
  readonly must_not: readonly Condition[];
}

export const NO_CONDITIONS: Conditions = { must: [], must_not: [] };

export const IS_SHOWN: Condition = { key: 'shown', match: { value: 1 } };

export const isKind = (kind: 'passage' | 'document' | 'word'): Condition => ({
  key: 'kind',
  match: { value: kind },
});

export const isAnyOf = (key: string, any: readonly (string | number)[]): Condition => ({
  key,
  match: { any: [...any] as string[] },
});

export function both(...all: readonly (Conditions | { readonly must: readonly Condition[] })[]): Conditions {
  return {
    must: all.flatMap(({ must }) => must),
    must_not: all.flatMap((each) => ('must_not' in each ? each.must_not : [])),
  };
}

export function toFilter({ must, must_not }: Conditions): Filter {
  return { must: [...must], ...(must_not.length > 0 && { must_not: [...must_not] }) };
}

/** @returns conditions on documents and on passages alone, and filters that no condition can express */
export function filterConditions(filters: Filters): {
  readonly document: Conditions;
  readonly passage: Conditions;
  readonly rest: Filters;
} {
  const { tests, rest } = keyTests(filters);
  const { after, before, lang, notLang } = filters;
  const conditions = (negated: boolean) =>
    tests.filter((test) => test.negated === negated).map(({ key, any }) => isAnyOf(key, any));
  const range = { ...(after !== undefined && { gte: after }), ...(before !== undefined && { lt: before }) };
  const languages = (names: readonly string[] | undefined) =>
    names?.length ? [isAnyOf('languages', names.map(languageOf))] : [];
  return {
    document: {
      must: [...conditions(false), ...(Object.keys(range).length > 0 ? [{ key: 'modified', range }] : [])],
      must_not: conditions(true),
    },
    passage: { must: languages(lang), must_not: languages(notLang) },
    rest,
  };
}

/** The condition that a passage holds one of some words, in its title alone if the term asks for that. */
export function holdsWord(words: readonly string[], field: QueryTerm['field']): Condition {
  return isAnyOf(field === undefined ? 'words' : 'nameWords', words.map(dimensionOf));
}
