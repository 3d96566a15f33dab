/** Converts names between the spelling of configuration files and JSON (`top_n`) and that of the library (`topN`). */

/** `start_line` → `startLine`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export type CamelKeys<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** `start_line` → `startLine`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `startLine` → `start_line`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A copy of `record` with its top-level keys in camelCase; values stay unchanged. */
export function camelKeys<T extends object>(record: T): CamelKeys<T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [camelCase(key), value]),
  ) as CamelKeys<T>;
}

/**
 * Fields whose value is a map with free keys (lanes, stages, front matter, query types): the field is renamed, its keys
 * are not. Listed in both spellings, for both directions.
 */
export const OWN_KEYS = [
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

/** A JSON type with the library's names; optional values are absent, never undefined. */
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

export type Scalar = string | number | boolean | null | undefined;

/** The value of a field: unchanged if its keys are free, else renamed. */
export type Value<T, K, Renamed> = K extends OwnKeys ? Immutable<T> : Renamed;

/** Readonly at every depth, so that library values can be returned without a copy. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
