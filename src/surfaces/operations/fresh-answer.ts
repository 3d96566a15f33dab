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
  { onText: _, ...control }: OperationControl,
  ask: (index: Index) => Promise<SearchResult>,
) {
  await using index = await context.open();
  const failure = sync ? await bringUpToDate(index, { embed, ...control }) : undefined;
  const result = await ask(index);
  // An empty index that could not be filled has no answer to give.
  if (failure && failure.code !== 'index_busy' && result.index.documents === 0) throw failure;
  const notices = [failure && noticeOf(failure), result.notice].filter((notice) => notice !== undefined);
  return { ...toWire(result), ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

function noticeOf({ code, message }: DocfuseError): string {
  if (code === 'index_busy')
    return 'The index is just being written; this answer is from what it holds so far.';
  return `${message} This answer is from what the index holds.`;
}

/**
 * Answers from the index as it is if it cannot be brought up to date.
 * @returns why it could not be done: it is under way elsewhere, or the index cannot be written
 */
async function bringUpToDate(index: Index, options: SyncOptions): Promise<DocfuseError | undefined> {
  try {
    await index.sync(options);
    return undefined;
  } catch (error) {
    if (error instanceof DocfuseError && ['index_busy', 'storage'].includes(error.code)) return error;
    throw error;
  }
}
