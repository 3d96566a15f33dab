/**
 * Returns `make` with a memory: it is called once for each key. Results of undefined are not kept.
 * @param known where the values are kept. @default a new map
 */
export function memoize<Key, Value>(
  make: (key: Key) => Value,
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown } = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

/** Keeps the values that were read or written last. @param most max number of values */
export function keepLatest<Key, Value>(most: number) {
  const kept = new Map<Key, Value>();
  function set(key: Key, value: Value): void {
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
  }
  return {
    get(key: Key): Value | undefined {
      const value = kept.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
}
