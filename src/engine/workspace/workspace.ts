/** An open index inside the engine: the store, and the indexes and links derived from it, kept consistent. */
import type { PassageReader } from '../../core/storage.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createSearcher, type Searcher } from './searcher.ts';
import type { WorkspaceParts } from './workspace-parts.ts';
import { createWriter, type Writer } from './writer.ts';

/** Parts of the lifecycle that only the writer and the searcher use. */
type Internals =
  | 'indexes'
  | 'isLoaded'
  | 'vocabulary'
  | 'thesaurus'
  | 'changed'
  | 'isUnsaved'
  | 'noteUnsaved'
  | 'complete';

export interface Workspace extends WorkspaceParts, Omit<Lifecycle, Internals>, Writer, Searcher {}

/** A workspace for reading documents: its store may answer asynchronously. */
export type ReadableWorkspace = Omit<Workspace, 'store'> & { readonly store: PassageReader };

/** Opens a workspace. Documents, words, links, model and vectors are loaded at their first use. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  const lifecycle = createLifecycle(parts);
  return { ...parts, ...lifecycle, ...createWriter(parts, lifecycle), ...createSearcher(parts, lifecycle) };
}
