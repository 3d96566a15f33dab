/** One embedding model of an index. The model is opened and its vectors are loaded at the first use. */
import type { Embedder, VectorScan } from '../../core/ports.ts';
import type { StateStore, Store } from '../../core/storage.ts';
import { createLazyResource } from '../lazy-resource.ts';
import { loadSemanticIndex, type SemanticIndex } from './semantic-index.ts';
import type { NamedModel } from './workspace-parts.ts';

export type EmbeddingModel = ReturnType<typeof createEmbeddingModel>;

interface Services {
  readonly store: Store;
  readonly openScan: () => Promise<VectorScan>;
  readonly idOf: (slot: number) => string;
  /** Called when the vectors are loaded. */
  readonly onLoaded: () => void;
}

export function createEmbeddingModel(
  { name, open }: NamedModel,
  { store, openScan, idOf, onLoaded }: Services,
) {
  const embedder = createLazyResource<Embedder>(open);
  let semanticIndex: Promise<SemanticIndex> | undefined;
  let ready: SemanticIndex | undefined;

  return {
    name,
    /** Opens the model at the first use, without loading vectors. */
    embedder: embedder.get,
    /** Returns the identity of the model without opening it. If it has made no vectors yet, returns its name in the settings. */
    identity: () => ready?.embedder.model ?? notedIdentity(store, name) ?? name,
    /** Loads the model and the vectors at the first use. */
    semanticIndex(): Promise<SemanticIndex> {
      if (semanticIndex) return semanticIndex;
      const loading = loadSemanticIndex(store, embedder.get, openScan, idOf);
      semanticIndex = loading;
      loading.then(
        (loaded) => {
          if (semanticIndex === loading) ready = loaded;
          onLoaded();
        },
        () => {
          if (semanticIndex === loading) semanticIndex = undefined;
        },
      );
      return loading;
    },
    /** Returns the semantic index if it is loaded already. */
    ready: () => ready,
    /** Whether vectors are loaded or being loaded. */
    isInUse: () => semanticIndex !== undefined,
    /** Forgets the vectors, because another process may have changed them. */
    forget() {
      semanticIndex = ready = undefined;
    },
    close: embedder.close,
  };
}

/** Returns the identity that a model had when it last made vectors. */
function notedIdentity(store: StateStore, name: string): string | undefined {
  const isFirst = (store.getState('modelName') ?? name) === name;
  const other = store.getState('otherModels')?.find((each) => each.name === name);
  return other?.model ?? (isFirst ? store.getState('model') : undefined);
}
