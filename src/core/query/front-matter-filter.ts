/** Compares a field of the front matter with a value typed by a person. */
import type { FrontMatter } from '../model/document.ts';

/** Front matter may be a graph with cycles (YAML anchors); deeper than this nothing is looked for. */
const MAX_DEPTH = 16;

/**
 * Whether the field equals the value, letter case aside. A list matches by any member; `a.b` looks into maps; numbers
 * and booleans compare by their text, dates by ISO day (`2024-05-01`) or in full. The
 * beginning of a `commit` will do, from seven digits on.
 */
export function matchesFrontMatter(frontMatter: FrontMatter, key: string, value: string): boolean {
  const wanted = normalize(value);
  const found = valuesAt(frontMatter, key, 0);
  // Git shows hashes by their beginning.
  const isShort = key === 'commit' && SHORT_HASH.test(wanted);
  return found.some(
    (each) =>
      equals(each, wanted, 0) || (isShort && typeof each === 'string' && normalize(each).startsWith(wanted)),
  );
}

const SHORT_HASH = /^[0-9a-f]{7,}$/;

/** Everything a dotted key may mean: the key as it stands, or the path through maps and lists of maps. */
function valuesAt(node: unknown, key: string, depth: number): readonly unknown[] {
  if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((member) => valuesAt(member, key, depth + 1));
  const own = Object.hasOwn(node, key) ? [(node as FrontMatter)[key]] : [];
  const dot = key.indexOf('.');
  if (dot < 0 || !Object.hasOwn(node, key.slice(0, dot))) return own;
  return [...own, ...valuesAt((node as FrontMatter)[key.slice(0, dot)], key.slice(dot + 1), depth + 1)];
}

function equals(found: unknown, wanted: string, depth: number): boolean {
  if (Array.isArray(found)) {
    return depth < MAX_DEPTH && found.some((member) => equals(member, wanted, depth + 1));
  }
  return textsOf(found).some((text) => normalize(text) === wanted);
}

function textsOf(value: unknown): readonly string[] {
  switch (typeof value) {
    case 'string':
      return ISO_TIME.test(value) ? [value, value.slice(0, 10)] : [value];
    case 'number':
    case 'boolean':
    case 'bigint':
      return [String(value)];
    default:
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return [];
      return [value.toISOString(), value.toISOString().slice(0, 10)];
  }
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

function normalize(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
