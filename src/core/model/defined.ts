/** Leaves out keys without a value. */
export function defined<T extends object>(values: T | undefined): Defined<T> {
  return Object.fromEntries(
    Object.entries(values ?? {}).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

type Defined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };
