/** Reads the front matter fields that search uses; unusable values become warnings. */
import { defined } from '../model/defined.ts';
import { type FrontMatter, MAX_FIELD_LENGTH } from '../model/document.ts';
import { isoDate } from '../text/dates.ts';
import { cleanTag } from './tags.ts';

/** Fields with text values: a value that looks like a number is read as text. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'summary', 'desc', 'keywords', 'tags', 'aliases', 'author', 'category', 'type'],
  ...['date', 'created', 'modified', 'updated', 'related'],
]);

/** In order of precedence: the first valid date is used. */
const DATE_FIELDS = ['date', 'created', 'modified', 'updated'] as const;

/** Reads the known fields. Absent and empty fields are left out without a warning. */
export function readFields(values: FrontMatter) {
  const warnings: string[] = [];
  const warn = (field: string, problem: string) => warnings.push(`Front matter field "${field}" ${problem}.`);

  const line = (field: string): string | undefined => {
    const value = values[field];
    const text = textOf(value);
    if (text === undefined && !isAbsent(value))
      warn(field, `is ${Array.isArray(value) ? 'a list' : 'a group of fields'}, not text; it was ignored`);
    return text;
  };
  const list = (field: string, separator: RegExp | undefined): readonly string[] => {
    const value = values[field];
    if (typeof value === 'string')
      return (separator ? value.split(separator) : [value]).map((part) => part.trim()).filter(Boolean);
    const members = (Array.isArray(value) ? value.flat(8) : [value]).filter((member) => !isAbsent(member));
    const texts = members.map(textOf).filter((text) => text !== undefined);
    if (texts.length < members.length)
      warn(field, 'contains a value that is not text; the value was ignored');
    return texts;
  };
  const joined = (field: string): string | undefined => list(field, undefined).join(', ') || undefined;
  const dateIn = (field: string): string | undefined => {
    const written = line(field);
    const date = written && isoDate(written);
    if (written && !date)
      warn(field, `is "${written.slice(0, 50)}", not a date such as 2024-05-31; it was ignored`);
    return date;
  };

  const title = line('title');
  const description = line('description') ?? line('summary') ?? line('desc');
  const author = joined('author');
  const category = joined('category') ?? joined('type');
  const date = DATE_FIELDS.map(dateIn).find((read) => read !== undefined);
  const keywords = list('keywords', /,/);
  const tags = list('tags', /[,\s]+/)
    .map(cleanTag)
    .filter(Boolean);
  const aliases = list('aliases', /,/);
  for (const [field, text] of Object.entries({ description, author, category, keywords, tags, aliases })) {
    if ([text].flat().join('').length > MAX_FIELD_LENGTH)
      warn(field, `is longer than ${MAX_FIELD_LENGTH} characters; the rest is not searched`);
  }
  return {
    ...defined({ title, description }),
    keywords,
    tags,
    aliases,
    ...defined({ author, category, date }),
    /** Targets as written, including `[[…]]`. */
    related: list('related', undefined),
    warnings,
  };
}

/** Returns a string, number or boolean as one line of text; undefined for other values and empty text. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return String(value).replaceAll(/\s+/g, ' ').trim() || undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
