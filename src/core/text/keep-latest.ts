/** A map that keeps the values that were read or written last. @param most max number of values */
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
