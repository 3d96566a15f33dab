/** Says in plain words what is wrong with a value that a schema refuses. */
import * as z from 'zod';
import { nearest, sameField } from '../nearest.ts';

/**
 * Options for checking inputs and settings, with messages in plain words. With `jitless`, checks are not compiled: most checks run
 * once in a process, and compiling takes longer than running.
 */
export const PLAINLY = { jitless: true, error: describeIssue } as const;

/** If a nested object has an unknown field, lists the fields that this object allows, as a remedy; else returns undefined. */
export function knownInside(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): string | undefined {
  const unknown = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length > 0);
  if (!unknown) return undefined;
  const inner = unknown.path.reduce<unknown>((outer, key) => withoutOptional(fieldOf(outer, key)), schema);
  return `Fields of ${unknown.path.join('.')}: ${keysOf(inner).join(', ')}.`;
}

/** If only values are wrong, says how to mend them; returns undefined if the name of a field is wrong or a field is missing. */
export function aboutValues(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): string | undefined {
  const isValue = ({ code, path, message }: z.core.$ZodIssue) =>
    code !== 'unrecognized_keys' && path.length > 0 && message !== MISSING;
  if (!issues.every(isValue)) return undefined;
  return [...new Set(issues.map((issue) => mendValue(schema, issue)))].join(' ');
}

function mendValue(schema: z.ZodType, issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' && issue.origin === 'string') return 'Use fewer words.';
  if (issue.code === 'too_big' && isNumber(issue.origin)) return `Give at most ${issue.maximum}.`;
  if (issue.code === 'too_small' && isNumber(issue.origin)) return `Give at least ${issue.minimum}.`;
  if (issue.code === 'invalid_value') return `Give one of ${issue.values.join(', ')}.`;
  const field = issue.path.reduce<z.ZodType>(
    (outer, key) => fieldOf(withoutOptional(outer), key) ?? outer,
    schema,
  );
  if (field.safeParse(undefined).success) return 'Give an allowed value, or leave it out.';
  return `Give ${issue.code === 'invalid_type' ? (TYPES[issue.expected] ?? issue.expected) : 'an allowed value'}.`;
}

function fieldOf(schema: unknown, key: PropertyKey): z.ZodType | undefined {
  return schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined;
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** Says what is wrong and what is allowed. The text follows the name of the field and a colon. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return MISSING;
      // Assistants often write one value where a list is meant.
      return issue.expected === 'array' && typeof input === 'string'
        ? `${show(input)} is not a list; write [${JSON.stringify(input)}]`
        : `${show(input)} is not ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${show(input)} is not ${among(issue.values.map(String), input)}`;
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.join(', ')}${hint(issue.keys[0]!, keysOf(issue.inst))}`;
    case 'too_small':
      if (!isNumber(issue.origin)) return 'it is empty';
      return `${show(input)} is less than ${issue.minimum}`;
    case 'too_big':
      if (!isNumber(issue.origin))
        return `it is longer than ${issue.maximum.toLocaleString('en')} characters`;
      return `${show(input)} is more than ${issue.maximum}`;
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap(([first]) => first?.message ?? []))].join(', and ');
    default:
      return undefined;
  }
}

const MISSING = 'it is missing';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a set of fields',
  record: 'a set of fields',
};

function show(value: unknown): string {
  if (typeof value === 'string') return `“${value}”`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' && value !== null ? 'a set of fields' : String(value);
}

function among(values: readonly string[], input: unknown): string {
  const list = values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
  return typeof input === 'string' ? list + hint(input, values) : list;
}

function hint(wrong: string, names: readonly string[]): string {
  const stem = wrong.replace(/s$/, '');
  const holding = stem.length > 3 ? names.find((name) => name.includes(stem)) : undefined;
  const [suggestion = holding ?? sameField(wrong, names)] = nearest(wrong, names);
  return suggestion === undefined ? '' : ` (nearest: ${suggestion})`;
}

function keysOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function isNumber(origin: string): boolean {
  return origin === 'number' || origin === 'int';
}
