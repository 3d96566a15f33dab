/** Lists the fields of an operation's input without nesting, for surfaces without nested values: options, query strings. */
import * as z from 'zod';
import type { Operation } from './operation.ts';

/** A field of an input. An object such as `filters` is replaced by its fields. */
export interface Field {
  /** Path in the input, such as `['filters', 'tag']`. */
  readonly path: readonly string[];
  readonly kind: 'text' | 'number' | 'switch' | 'off-switch' | 'list' | 'map';
  readonly description: string;
  readonly choices?: readonly string[];
  readonly required: boolean;
  readonly schema: Schema;
}

/** The part of JSON Schema that inputs use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

export function fieldsOf({ input }: Pick<Operation, 'input'>): Field[] {
  return flatten(z.toJSONSchema(input, { io: 'input' }) as Schema, []);
}

/** Makes nested objects from values with their paths. A field named `__proto__` becomes an own property like any other. */
export function nest(
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

/** The name of a field without the objects around it: `tag` for `filters.tag`. */
export function nameOf(field: Field): string {
  return field.path.at(-1)!;
}

function flatten(schema: Schema, prefix: readonly string[]): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...prefix, name];
    if (field.type === 'object' && field.properties) return flatten(field, path);
    const choices = field.enum ?? field.items?.enum;
    return {
      path,
      kind: kindOf(field),
      description: field.description ?? '',
      ...(choices ? { choices } : {}),
      required: schema.required?.includes(name) ?? false,
      schema: field,
    };
  });
}

function kindOf(schema: Schema): Field['kind'] {
  if (schema.type === 'boolean') return schema.default === true ? 'off-switch' : 'switch';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return 'map';
  return schema.type === 'integer' || schema.type === 'number' ? 'number' : 'text';
}
