/** The query string of a GET request as an operation's input, by one rule for all operations. */
import type { Field } from '../operations/fields.ts';

/** The name of a field as a query parameter: dots between the levels, `filters.tag`. */
export function parameterName({ path }: Field): string {
  return path.join('.');
}

/**
 * What the query says, still to be checked against the schema: what fits no rule is left as it is, for the check to name. A list is the
 * parameter repeated; numbers and booleans are written as in JSON, text without quotes; `filters.where.status` is a key of a map.
 */
export function readQuery(fields: readonly Field[], query: URLSearchParams): Record<string, unknown> {
  const given: [path: readonly string[], value: unknown][] = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    const asGiven = values.length > 1 ? values : values[0];
    const field = fields.find((each) =>
      each.kind === 'map' ? name.startsWith(`${parameterName(each)}.`) : name === parameterName(each),
    );
    if (field === undefined) return [[name], asGiven];
    const { path, kind } = field;
    if (kind === 'map') return [[...path, name.slice(parameterName(field).length + 1)], asGiven];
    if (kind === 'list') return [path, values];
    return [path, values.length > 1 ? values : coerce(kind, values[0]!)];
  });
  return nest(given);
}

function coerce(kind: Field['kind'], text: string): unknown {
  if (kind === 'switch' || kind === 'off-switch')
    return text === 'true' ? true : text === 'false' ? false : text;
  if (kind !== 'number') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}

/** Own fields only, so that a parameter named `__proto__` is a field like any other. */
function nest(
  fields: readonly (readonly [path: readonly string[], value: unknown])[],
): Record<string, unknown> {
  const groups = Map.groupBy(fields, ([[head]]) => head!);
  return Object.fromEntries(
    [...groups].map(([head, members]) => {
      const leaf = members.find(([path]) => path.length === 1);
      return [head, leaf ? leaf[1] : nest(members.map(([[, ...rest], value]) => [rest, value]))];
    }),
  );
}
