/**
 * A map that keeps the values that were read or written last.
 * @param most max sum of the sizes of all values, or a function that returns it; one larger value is kept alone
 * @param sizeOf @default 1: `most` is then a number of values
 */
export function keepLatest<Key, Value>(
  most: number | (() => number),
  sizeOf: (value: Value) => number = () => 1,
) {
  const kept = new Map<Key, Value>();
  let size = 0;
  function drop(key: Key): void {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    size -= sizeOf(value);
  }
  return {
    get(key: Key): Value | undefined {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key: Key, value: Value): void {
      drop(key);
      kept.set(key, value);
      size += sizeOf(value);
      const limit = typeof most === 'number' ? most : most();
      // A value above the limit is kept until the next one.
      while (size > limit && kept.size > 1) drop(kept.keys().next().value!);
    },
  };
}
