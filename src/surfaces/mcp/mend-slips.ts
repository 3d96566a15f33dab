/** Corrects arguments that assistants write from habit with other tools. */
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { isRecord, parseJson } from '../../core/model/json.ts';
import { sameField } from '../../engine/nearest.ts';
import { documentOf } from './documents.ts';

type Fields = Readonly<Record<string, unknown>>;

const PLACES = ['document', 'path', 'exclude'];

/**
 * Corrects names and values of arguments: `limit` becomes `top_n`, `tags` becomes `tag`, a URI becomes an id or path, `"2"`
 * becomes 2, a single value becomes a list, and `lines: "3-5"` becomes `start_line` and `end_line`. A null is dropped. A filter
 * outside `filters` is moved into it. Other wrong arguments stay, so that the tool refuses them.
 * @param input schema of the tool's arguments
 */
export function mendSlips(given: Fields, input: z.ZodObject): Record<string, unknown> {
  const { shape } = input;
  const mended = withFilters(mendFields(given, input), shape);
  const { lines, start_line, end_line } = mended;
  const [, first, last] = /^L?(\d+)(?:[-–,:]L?(\d+))?$/.exec(String(lines)) ?? [];
  if (first === undefined || !shape['start_line'] || (start_line ?? end_line) !== undefined) return mended;
  delete mended['lines'];
  return { ...mended, start_line: Number(first), ...(last && { end_line: Number(last) }) };
}

/** Moves filters that are given outside the field `filters` into that field. */
function withFilters(mended: Record<string, unknown>, shape: z.ZodObject['shape']): Record<string, unknown> {
  const schema = bare(shape['filters']);
  const { filters = {} } = mended;
  if (!(schema instanceof z.ZodObject) || !isRecord(filters)) return mended;
  const isBeside = ([name]: readonly [string, unknown]) =>
    !Object.hasOwn(shape, name) && !Object.hasOwn(filters, name) && fieldOf(schema, name) !== undefined;
  const { true: beside = [], false: others = [] } = Object.groupBy(Object.entries(mended), (entry) =>
    isBeside(entry) ? 'true' : 'false',
  );
  if (beside.length === 0 && !('filters' in mended)) return mended;
  const all = mendFields({ ...filters, ...Object.fromEntries(beside) }, schema);
  return { ...Object.fromEntries(others), filters: all };
}

function mendFields(given: Fields, schema: z.ZodObject): Record<string, unknown> {
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return [];
    const field = Object.hasOwn(schema.shape, name) ? undefined : fieldOf(schema, name);
    const right = field === undefined || (given[field] ?? null) !== null ? name : field;
    const type = Object.hasOwn(schema.shape, right) ? bare(schema.shape[right]) : undefined;
    const retyped = typeof value === 'string' && type ? readAs(type, value) : value;
    return [[right, PLACES.includes(right) ? withoutUri(retyped) : retyped]];
  });
  // A field called `__proto__` becomes an own property, so that the tool can refuse it.
  return Object.fromEntries(entries);
}

/** Finds the field of the schema that a wrong name means, such as `top_n` for `limit`. */
function fieldOf({ shape }: z.ZodObject, name: string): string | undefined {
  const fields = Object.keys(shape);
  return sameField(name, fields) ?? fields.find((field) => singular(field) === singular(name));
}

/** `tags` → `tag`, `categories` → `category` */
function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** Parses a text as JSON if the schema accepts the result. Otherwise returns the text, inside a list if the schema is a list. */
function readAs(type: z.ZodType, text: string): unknown {
  if (type instanceof z.ZodString) return text;
  const read = parseJson(type instanceof z.ZodBoolean ? text.toLowerCase() : text);
  const issues = read === undefined ? undefined : (type.safeParse(read).error?.issues ?? []);
  const fits = issues?.every(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  if (fits) return read;
  return type instanceof z.ZodArray ? [text] : text;
}

function bare(schema: unknown): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : (schema as z.ZodType);
}

/** Replaces a URI by the id or path of its document; other values stay. */
function withoutUri(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUri);
  if (typeof value !== 'string') return value;
  try {
    return documentOf(value) ?? (/^file:/i.test(value) ? fileURLToPath(value) : value);
  } catch {
    return value; // the URI names a file of another machine, or contains a percent sign without two digits
  }
}
