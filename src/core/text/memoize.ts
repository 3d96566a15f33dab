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
