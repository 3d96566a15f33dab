/** Keeps the latest answers for questions that come back while nothing changes. */
import type { SearchResult } from '../api.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface AnswerCache {
  /** The answer to the same question to the same state of the index, or what `make` gives. */
  answer(workspace: Workspace, question: unknown, make: () => Promise<SearchResult>): Promise<SearchResult>;
}

/** About 5 MB. */
const MAX_ANSWERS = 100;
/** Longer answers are not kept: programs ask for them, and ask once. */
const MAX_HITS = 30;
/** Milliseconds; documents age meanwhile, which counts where new ones are preferred. */
const MAX_AGE = 60_000;

interface Kept {
  readonly result: SearchResult;
  readonly until: number;
}

/** Starts empty; whatever changes the index empties it. */
export function createAnswerCache(): AnswerCache {
  const kept = new Map<string, Kept>();
  let of: Workspace | undefined;
  let edition = 0;

  return {
    async answer(workspace, question, make) {
      const began = workspace.clock.monotonic();
      if (workspace !== of || workspace.edition() !== edition) kept.clear();
      of = workspace;
      const asked = workspace.edition();
      edition = asked;
      const key = JSON.stringify(question);
      const found = kept.get(key);
      kept.delete(key); // it comes back as the latest
      if (found && found.until > began) {
        kept.set(key, found);
        return copyOf(found.result, { total: workspace.clock.monotonic() - began });
      }
      const result = await make();
      // An answer with a notice is not kept: the notice may be about a service that answers the next time.
      const isLasting = !result.notice && result.hits.length + result.unsure.length <= MAX_HITS;
      if (isLasting && of === workspace && workspace.edition() === asked) {
        kept.set(key, { result: copyOf(result), until: began + MAX_AGE });
        if (kept.size > MAX_ANSWERS) kept.delete(kept.keys().next().value!);
      }
      return result;
    },
  };
}

/** A copy with its own lists, because a caller may sort them. */
function copyOf(result: SearchResult, timingsMs = result.timingsMs): SearchResult {
  return { ...result, hits: [...result.hits], unsure: [...result.unsure], timingsMs };
}
