/** The step from the spelling of configuration files and of the wire (`top_n`) to that of the library (`topN`). */

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

/** A copy of `record` with its own keys in camelCase; values are left as they are. */
export function camelKeys<T extends object>(record: T): CamelKeys<T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [camelCase(key), value]),
  ) as CamelKeys<T>;
}

/**
 * Fields whose value is a map with keys of its own (lanes, stages, front matter, query types): the field is renamed,
 * nothing inside it is. Listed in both spellings, for the two directions.
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

export type Scalar = string | number | boolean | null | undefined;

/** What a field holds after its value was renamed, or was left as it is. */
export type Value<T, K, Renamed> = K extends OwnKeys ? Immutable<T> : Renamed;

/** Readonly all the way down, so that library values can be answered as they are. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
