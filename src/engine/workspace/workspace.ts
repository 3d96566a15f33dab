/** An open index from the inside: keeps the store and what is derived from it in step. */
import type { PassageReader } from '../../core/storage.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createSearcher, type Searcher } from './searcher.ts';
import type { WorkspaceParts } from './workspace-parts.ts';
import { createWriter, type Writer } from './writer.ts';

/** What the lifecycle offers to the writer and the searcher alone. */
type Internals =
  | 'indexes'
  | 'readySemanticIndex'
  | 'vocabulary'
  | 'thesaurus'
  | 'currentModel'
  | 'changed'
  | 'isUnsaved'
  | 'noteUnsaved'
  | 'complete';

export interface Workspace extends WorkspaceParts, Omit<Lifecycle, Internals>, Writer, Searcher {}

/** The view for reading documents: the store may answer asynchronously. */
export type ReadableWorkspace = Omit<Workspace, 'store'> & { readonly store: PassageReader };

/** Loads the words at once; links, model and vectors are loaded at their first use. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  const lifecycle = createLifecycle(parts);
  return { ...parts, ...lifecycle, ...createWriter(parts, lifecycle), ...createSearcher(parts, lifecycle) };
}
