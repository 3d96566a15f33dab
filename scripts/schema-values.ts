/** The values that a schema allows, for tables in the reference. */
import type { KeySchema } from '../src/engine/config/config-schema.ts';

/** Values that a setting or a field takes, in words: `0–1`, `50 or more`, `headers, fixed`. */
export function valuesOf(schema: KeySchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(valuesOf).join(', or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'array') return listOf(schema.items);
  if (schema.type === 'object') return 'object';
  if (schema.type === 'string') return 'string';
  const kind = schema.type === 'integer' ? 'whole number' : 'number';
  const minimum = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (minimum !== undefined && maximum !== undefined) return `${kind}, ${minimum}–${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}

function listOf(items: KeySchema | undefined): string {
  if (items?.enum !== undefined) return `list of ${valuesOf(items)}`;
  return items?.type === 'object' ? 'list of objects' : 'list of strings';
}
