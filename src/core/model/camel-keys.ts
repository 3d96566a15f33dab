/** Converts names between snake_case, used in configuration files and JSON, and camelCase, used in the library. */

/** The type of a name in camelCase: `start_line` becomes `startLine`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export type CamelKeys<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** Converts `start_line` to `startLine`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts `startLine` to `start_line`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Copies an object with its top-level keys in camelCase. Values stay unchanged. */
export function camelKeys<T extends object>(record: T): CamelKeys<T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [camelCase(key), value]),
  ) as CamelKeys<T>;
}
