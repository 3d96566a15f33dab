/** Finds damage that no search has met yet, if the check takes little time. */
import { DocfuseError } from '../core/errors.ts';
import type { Workspace } from './workspace/workspace.ts';

/** An index up to this size is checked at every call: some 4 ms for each MiB. */
const SMALL_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * Looks through a small index every time, through a large one once a day.
 * @param name what messages call the index
 * @throws DocfuseError `index_damaged`
 */
export function verifyStored({ store, clock }: Pick<Workspace, 'store' | 'clock'>, name: string): void {
  const isSmall = store.counts('').bytes <= SMALL_BYTES;
  const verified = store.getState('verified') ?? 0;
  if (!isSmall && Math.abs(clock.now() - verified) < DAY_MS) return;
  const [problem] = store.problems();
  if (problem !== undefined)
    throw new DocfuseError(
      'index_damaged',
      `The index ${name} is damaged (${problem}).`,
      'Rebuild it with `docfuse index --rebuild`; your documents are not affected.',
    );
  if (!isSmall) store.setState({ verified: clock.now() });
}
