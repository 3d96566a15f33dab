/** The index of a command, opened with the first operation that needs it and kept for the others. */
import type { Index, OpenOptions } from '../../engine/api.ts';

export interface OpenedOnce extends AsyncDisposable {
  open(): Promise<Index>;
}

/** The engine is loaded with the index. */
export function openOnce(options: OpenOptions): OpenedOnce {
  let own: Promise<Index> | undefined;
  return {
    async open() {
      const [{ open }, { lendIndex }] = await Promise.all([
        import('../../engine/open.ts'),
        import('../../engine/lend-index.ts'),
      ]);
      own ??= open(options);
      return lendIndex(await own);
    },
    async [Symbol.asyncDispose]() {
      // Why it could not be opened was told to whoever asked.
      await (await own?.catch(() => undefined))?.close();
    },
  };
}
