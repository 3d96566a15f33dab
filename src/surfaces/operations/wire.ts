/** Converts values between the names on the wire (snake_case) and in the library (camelCase). */
import { camelCase, snakeCase } from '../../core/model/camel-keys.ts';
import { type Library, OWN_KEYS, type Scalar, type Value } from '../../engine/wire-names.ts';

const ownKeys: ReadonlySet<string> = new Set(OWN_KEYS);

/** `startLine` → `start_line`. */
export type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : S;

/** The type of a library value on the wire: the names of its fields are in snake_case. */
export type Wire<T> = T extends Scalar
  ? T
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Wire<T[K]> }
    : { readonly [K in keyof T as K extends string ? SnakeCase<K> : never]: Value<T[K], K, Wire<T[K]>> };

/** Renames the fields of a library value for the wire, at every depth; undefined fields are left out. */
export function toWire<T>(value: T): Wire<T> {
  return rename(value, snakeCase) as Wire<T>;
}

/** Renames the fields of a wire value for the library, at every depth; undefined fields are left out. */
export function fromWire<T>(value: T): Library<T> {
  return rename(value, camelCase) as Library<T>;
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
