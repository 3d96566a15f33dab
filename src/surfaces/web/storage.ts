/** What a browser keeps for the page. Where a setting for privacy forbids it, it is kept until the page ends. */

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
