/** The one conversion between names on the wire (snake_case) and in the library (camelCase). */
import { type CamelCase, camelCase } from '../../core/model/camel-keys.ts';

/**
 * Fields whose value is a map with keys of its own (lanes, stages, front matter, query types): the field is renamed,
 * nothing inside it is. Listed in both spellings, for the two directions.
 */
const OWN_KEYS = [
  'weights',
  'timingsMs',
  'timings_ms',
  'frontMatter',
  'front_matter',
  'byType',
  'by_type',
  'where',
] as const;
type OwnKeys = (typeof OWN_KEYS)[number];
const ownKeys: ReadonlySet<string> = new Set(OWN_KEYS);

/** `startLine` → `start_line`. */
export type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : S;

/** A library shape as it stands on the wire. */
export type Wire<T> = T extends Scalar
  ? T
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Wire<T[K]> }
    : { readonly [K in keyof T as K extends string ? SnakeCase<K> : never]: Value<T[K], K, Wire<T[K]>> };

/** A wire shape as the library knows it; an absent value is absent, never undefined. */
export type Library<T> = T extends Scalar
  ? T
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Library<T[K]> }
    : {
        readonly [K in keyof T as K extends string ? CamelCase<K> : never]: Exclude<
          Value<T[K], K, Library<T[K]>>,
          undefined
        >;
      };

/** Renames the fields of a library value for the wire, all the way down; undefined fields are left out. */
export function toWire<T>(value: T): Wire<T> {
  return rename(value, snakeCase) as Wire<T>;
}

/** Renames the fields of a wire value for the library, all the way down; undefined fields are left out. */
export function fromWire<T>(value: T): Library<T> {
  return rename(value, camelCase) as Library<T>;
}

type Scalar = string | number | boolean | null | undefined;
type Value<T, K, Renamed> = K extends OwnKeys ? T : Renamed;

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function rename(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, spell));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) renamed[spell(name)] = ownKeys.has(name) ? item : rename(item, spell);
  }
  return renamed;
}
