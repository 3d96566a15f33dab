/** The query string of a GET request as an operation's input, by one rule for all operations. */
import * as z from 'zod';

/** The part of JSON Schema that inputs use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

/** One query parameter: the name of a field, with dots between the levels of nested fields. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Any further name after the dot is a key of the map: `filters.where.status`. */
  readonly map: boolean;
}

/**
 * The parameters of an input: `top_n`, `filters.tag`. A list is the parameter repeated; numbers and booleans are
 * written as in JSON, text without quotes.
 */
export function parametersOf(input: z.ZodObject): readonly Parameter[] {
  return flatten(z.toJSONSchema(input, { io: 'input' }) as Schema & { required?: string[] }, '');
}

/** What the query says, still to be checked against the schema: what fits no rule is left as it is, for the check to name. */
export function readQuery(parameters: readonly Parameter[], query: URLSearchParams): Record<string, unknown> {
  const fields: [path: readonly string[], value: unknown][] = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    const known = parameters.find((each) =>
      each.map ? name.startsWith(`${each.name}.`) : name === each.name,
    );
    if (known === undefined) return [[name], values.length > 1 ? values : values[0]];
    const path = known.name.split('.');
    if (known.map)
      return [[...path, name.slice(known.name.length + 1)], values.length > 1 ? values : values[0]];
    if (known.schema.type === 'array') return [path, values];
    return [path, values.length > 1 ? values : coerce(known.schema, values[0]!)];
  });
  return nest(fields);
}

function flatten(schema: Schema & { readonly required?: readonly string[] }, prefix: string): Parameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, each]) => {
    const name = prefix + field;
    if (each.type === 'object' && each.properties) return flatten(each, `${name}.`);
    const required = prefix === '' && (schema.required?.includes(field) ?? false);
    return { name, schema: each, required, map: each.type === 'object' };
  });
}

function coerce(schema: Schema, text: string): unknown {
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (schema.type !== 'integer' && schema.type !== 'number') return text;
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
