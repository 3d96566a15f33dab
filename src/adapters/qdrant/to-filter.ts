/** Converts the conditions of a search to a filter on payload. */
import type { Condition, Selection } from '../published/engine.ts';
import type { Schemas } from './client.ts';
import { documentId, WORDS_OF } from './layout.ts';

export function toFilter({ kind, all, none, some }: Selection): Schemas['Filter'] {
  const write = (each: Condition) => toCondition(each, kind);
  return {
    must: [{ key: 'kind', match: { value: kind } }, ...all.map(write)],
    ...(none.length > 0 && { must_not: none.map(write) }),
    ...(some && { should: some.map(write) }),
  };
}

function toCondition(condition: Condition, kind: Selection['kind']): Schemas['Condition'] {
  const anyOf = (key: string, any: readonly (string | number)[]) => ({
    key,
    match: { any: [...any] as string[] },
  });
  if ('ids' in condition)
    return { has_id: kind === 'document' ? condition.ids.map(documentId) : [...condition.ids] };
  if ('lane' in condition) return anyOf(WORDS_OF[condition.lane], condition.holds);
  if ('any' in condition) return anyOf(condition.key, condition.any);
  const { key, from, below } = condition;
  return {
    key,
    range: { ...(from !== undefined && { gte: from }), ...(below !== undefined && { lt: below }) },
  };
}
