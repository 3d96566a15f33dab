/** The storage of the browser. If the browser forbids it, values are kept in memory until the page is closed. */

/** @param storage opens `localStorage` or `sessionStorage`, which throws where it is forbidden */
export function openStorage(storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    return storage();
  } catch {
    const values = new Map<string, string>();
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => values.set(key, value),
      removeItem: (key) => values.delete(key),
    };
  }
}
