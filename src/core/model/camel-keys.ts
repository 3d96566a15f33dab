/** The step from the spelling of configuration files (`top_n`) to that of the library (`topN`), one level deep. */

/** `start_line` → `startLine`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export type CamelKeys<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** `start_line` → `startLine`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A copy of `record` with its own keys in camelCase; values are left as they are. */
export function camelKeys<T extends object>(record: T): CamelKeys<T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [camelCase(key), value]),
  ) as CamelKeys<T>;
}
