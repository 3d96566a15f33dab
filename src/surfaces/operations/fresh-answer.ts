/** What all operations that search have in common: the index is brought up to date first, and the answer says when it could not be. */
import { DocfuseError } from '../../core/errors.ts';
import type { Index, SearchResult, SyncOptions } from '../../engine/api.ts';
import type { OperationContext, OperationControl } from './operation.ts';
import { toWire } from './wire.ts';

/** How the index is prepared. */
export interface Preparation {
  /** Bring the index up to date first. */
  readonly sync: boolean;
  /** Make vectors for new passages first. */
  readonly embed: boolean;
}

/** Opens the index, brings it up to date as asked and answers with what `ask` finds. */
export async function answerFresh(
  context: OperationContext,
  { sync, embed }: Preparation,
  control: OperationControl,
  ask: (index: Index) => Promise<SearchResult>,
) {
  await using index = await context.open();
  const fresh = !sync || (await bringUpToDate(index, { embed, ...control }));
  const result = await ask(index);
  const notices = [fresh ? undefined : BUSY, result.notice].filter((notice) => notice !== undefined);
  return { ...toWire(result), ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

const BUSY = 'The index is just being written; this answer is from what it holds so far.';

/** False when that is under way elsewhere; an answer from what is there beats none. */
async function bringUpToDate(index: Index, options: SyncOptions): Promise<boolean> {
  try {
    await index.sync(options);
    return true;
  } catch (error) {
    if (error instanceof DocfuseError && error.code === 'index_busy') return false;
    throw error;
  }
}
