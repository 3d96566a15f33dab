/** The index of a command, opened with the first operation that needs it and kept for the others. */
import type { Index, OpenOptions } from '../../engine/api.ts';
import { keepOpen } from '../../engine/keep-open.ts';

export interface OpenedOnce extends AsyncDisposable {
  open(): Promise<Index>;
}

/** The engine is loaded with the index. */
export function openOnce(options: OpenOptions): OpenedOnce {
  const own = keepOpen(async () => {
    const [{ open }, { lendIndex }] = await Promise.all([
      import('../../engine/open.ts'),
      import('../../engine/lend-index.ts'),
    ]);
    const index = await open(options);
    return { lent: lendIndex(index), close: index.close };
  });
  return {
    open: async () => (await own.get()).lent,
    async [Symbol.asyncDispose]() {
      await own.close();
    },
  };
}
