/** Types for converting names between JSON (`start_line`) and the library (`startLine`). */
import type { CamelCase } from '../core/model/camel-keys.ts';

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

/** The type of a field's value: `T` itself if its keys are free, else `Renamed`. */
export type Value<T, K, Renamed> = K extends OwnKeys ? Immutable<T> : Renamed;

/** Readonly at every depth, so that library values can be returned without a copy. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
