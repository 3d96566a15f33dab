/** Compiles the filters and words of a request to conditions that an engine tests. */
import type { Filters, QueryTerm } from '../../core/model/query.ts';
import { languageOf } from '../../core/query/filter.ts';
import { keyTests } from '../../core/query/filter-keys.ts';
import type { Condition, Selection } from './engine.ts';
import { dimensionOf } from './format.ts';

export const IS_SHOWN: Condition = { key: 'shown', any: [1] };
export const PASSAGES: Selection = { kind: 'passage', all: [], none: [] };
export const DOCUMENTS: Selection = { kind: 'document', all: [], none: [] };

export const isOf = (...numbers: readonly number[]): Condition => ({ key: 'document', any: numbers });

export function narrowed(
  where: Selection,
  all: readonly Condition[],
  none: readonly Condition[] = [],
): Selection {
  return { ...where, all: [...where.all, ...all], none: [...where.none, ...none] };
}

/** @returns conditions on documents, conditions on passages only, and the filters that no condition can express */
export function filterConditions(filters: Filters) {
  const { tests, rest } = keyTests(filters);
  const { after: from, before: below, lang, notLang } = filters;
  const conditions = (negated: boolean) =>
    tests.filter((test) => test.negated === negated).map(({ key, any }) => ({ key, any }));
  const range = { ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
  const languages = (names: readonly string[] | undefined) =>
    names?.length ? [{ key: 'languages', any: names.map(languageOf) }] : [];
  return {
    document: {
      all: [
        ...conditions(false),
        ...(Object.keys(range).length > 0 ? [{ key: 'modified' as const, ...range }] : []),
      ],
      none: conditions(true),
    },
    passage: { all: languages(lang), none: languages(notLang) },
    rest,
  };
}

/** Returns the condition that a passage holds one of `words`. If the term names a field, only words in the title count. */
export function holdsWord(words: readonly string[], field: QueryTerm['field']): Condition {
  return { lane: field === undefined ? 'keyword' : 'named', holds: words.map(dimensionOf) };
}
