/** Starts work on the next items before the caller has handled the current one. */

/**
 * Yields results in the order of the items; works on at most `width` items at a time. When the generator ends, even early, no
 * work is running.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const waiting: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      result.catch(() => {}); // an error is thrown later, when the result is awaited
      waiting.push({ item, result });
      if (waiting.length < width) continue;
      const first = waiting.shift()!;
      yield [first.item, await first.result];
    }
    for (const { item, result } of waiting) yield [item, await result];
  } finally {
    await Promise.allSettled(waiting.map(({ result }) => result));
  }
}
