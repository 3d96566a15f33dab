/** Answers without what may differ from one run to the next. */

/** Times differ, and only a server tells of itself. */
export function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each) => {
      if (each?.label === 'age in days') return undefined;
      if (['timings_ms', 'updated', 'bytes', 'server'].includes(key)) return undefined;
      // A server may still be reading a change, an index that the test opens may not.
      if (key === 'notice' && String(each).startsWith('The index is being brought')) return undefined;
      return typeof each === 'number' ? Number(each.toPrecision(6)) : each;
    }),
  );
}
