/** Keeps what was loaded. A failed load is tried again by the next call. */
export function remembered<T>(load: (number: number) => Promise<T>): (number: number) => Promise<T> {
  const known = new Map<number, Promise<T>>();
  return (number) => {
    const found = known.get(number) ?? load(number);
    known.set(number, found);
    found.catch(() => known.delete(number));
    return found;
  };
}
