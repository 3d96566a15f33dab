/** Arguments as assistants write them from habit with other tools. */
import { documentOf } from './document-uri.ts';

/** Names for one thing. A tool has at most one of each row. */
const SAME: readonly (readonly string[])[] = [
  ['top_n', 'limit', 'k', 'top_k', 'n', 'max_results'],
  ['query', 'question', 'q'],
  ['document', 'path', 'id', 'document_id', 'chunk_id', 'file', 'uri'],
];

/**
 * Names and values as the tool takes them: `limit` for `top_n`, a path for an id, one value for a list of one.
 * What is not known to be a slip stays as it is, so that the tool can refuse it.
 * @param fields names of the tool's arguments
 */
export function mendSlips(
  given: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> {
  const mended: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const right = SAME.find((row) => row.includes(name))?.find((other) => fields.includes(other));
    const renamed = !fields.includes(name) && right !== undefined && !Object.hasOwn(given, right);
    put(mended, renamed ? right : name, value);
  }
  const { document, filters } = mended;
  if (typeof document === 'string') mended['document'] = documentOf(document) ?? document;
  if (isObject(filters)) mended['filters'] = withLists(filters);
  return mended;
}

/** Dates and the map of `where` take no list. */
function withLists(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const listed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filters)) {
    put(listed, name, typeof value === 'string' && !['after', 'before'].includes(name) ? [value] : value);
  }
  return listed;
}

/** As an own property even where it is called `__proto__`, so that the tool can refuse it. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
