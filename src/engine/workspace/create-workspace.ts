/** Keeps the store of an index and what is derived from it in step. */
import { createLifecycle } from './lifecycle.ts';
import { createSearcher } from './searcher.ts';
import type { Workspace, WorkspaceParts } from './workspace.ts';
import { createWriter } from './writer.ts';

/** Loads the words at once; links, model and vectors are loaded at their first use. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  const lifecycle = createLifecycle(parts);
  const { services, closeSearcher } = createSearcher(parts, lifecycle);
  return {
    ...parts,
    ...lifecycle,
    ...createWriter(parts, lifecycle),
    services,
    async close() {
      closeSearcher();
      await lifecycle.close();
    },
  };
}
