/** An open index inside the engine: the store, and the indexes and links derived from it, kept consistent. */
import type { Ranking, RetrieverQuery, SlotMask } from '../../core/indexes/retriever.ts';
import type { Awaitable, ChunkRecord } from '../../core/ports.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import type { LoadedLinks } from './loaded-links.ts';
import { createSearcher, type Searcher } from './searcher.ts';
import type { CollectionRoot, WorkspaceParts } from './workspace-parts.ts';
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

/**
 * The part of a workspace that reads documents. The methods for passages and vectors may return promises, because passages and
 * vectors may be on a server.
 */
export interface ReadableWorkspace extends Pick<Workspace, 'catalog' | 'facts'> {
  readonly collections: readonly CollectionRoot[];
  readonly links: () => Pick<LoadedLinks, 'graph' | 'edges' | 'communities' | 'communityOf'>;
  readonly store: Pick<WorkspaceParts['store'], 'document'> & {
    chunks(slots: readonly number[]): Awaitable<readonly ChunkRecord[]>;
    chunksOf(document: number): Awaitable<readonly ChunkRecord[]>;
  };
  readonly models: { readonly covering: { semanticIndex(): Promise<NearPassages> } };
}

export interface NearPassages {
  vectorsOf(slots: readonly number[]): Awaitable<readonly (Float32Array | undefined)[]>;
  readonly semantic: {
    search(query: RetrieverQuery, k: number, mask?: SlotMask): Awaitable<Pick<Ranking, 'entries'>>;
  };
}

/** Opens a workspace. Documents, words, links, model and vectors are loaded at their first use. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  const lifecycle = createLifecycle(parts);
  return { ...parts, ...lifecycle, ...createWriter(parts, lifecycle), ...createSearcher(parts, lifecycle) };
}
