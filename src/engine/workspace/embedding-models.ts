/** The embedding models of an index: how many passages each has embedded, and which one answers. */
import { isDeepStrictEqual } from 'node:util';
import type { CollectionWords } from '../../core/model/query.ts';
import type { ModelFacts, ModelStamps, SavedState } from '../../core/model/saved-state.ts';
import type { Embedder } from '../../core/ports.ts';
import type { StateStore, Store, StoreCounts } from '../../core/storage.ts';
import { createLazyResource } from '../tasks.ts';
import { createDocumentLanguages } from './document-languages.ts';
import type { LoadedIndexes } from './loaded-indexes.ts';
import { isAmongEnglish, isEnglishQuestion, type Question } from './route-question.ts';
import { loadSemanticIndex, type SemanticIndex } from './semantic-index.ts';
import type { NamedModel, WorkspaceParts } from './workspace-parts.ts';

/** The model that answers a question. */
export interface Chosen {
  readonly model: EmbeddingModel;
  readonly role: 'first' | 'multilingual' | 'former';
  /** Whether the question is in English, or no model for other languages is set. */
  readonly isEnglish: boolean;
}

interface Services extends Omit<ModelServices, 'store'> {
  readonly indexes: () => Pick<LoadedIndexes, 'catalog' | 'keyword'>;
}

export function createEmbeddingModels(parts: WorkspaceParts, { indexes, ...services }: Services) {
  const { store } = parts;
  const catalog = () => indexes().catalog;
  const languages = createDocumentLanguages(parts, catalog);
  const create = (named: WorkspaceParts['model']) => createEmbeddingModel(named, { store, ...services });
  const first = create(parts.model);
  const multilingual = parts.multilingual && create(parts.multilingual);
  const own = [first, ...(multilingual ? [multilingual] : [])];
  let former: EmbeddingModel | undefined;
  /** Names of former models that could not be opened. */
  const unusable = new Set<string>();

  /** Numbers of the documents that need no vector of the first model. */
  const others = (): ReadonlySet<number> => (multilingual ? languages.others() : new Set());

  /** Models that have made vectors, the first model first. */
  function notedModels(): readonly NotedModel[] {
    const [name, model] = [store.getState('modelName'), store.getState('model')];
    return [...(name && model ? [{ name, model }] : []), ...(store.getState('otherModels') ?? [])];
  }

  /** Returns the model that made vectors before the settings named another one, if it can be opened. */
  function formerModel(): EmbeddingModel | undefined {
    const known = own.map((each) => ({ name: each.name, model: each.identity() }));
    const found = notedModels().find(
      (each) => known.every((other) => differ(each, other)) && !unusable.has(each.name),
    );
    if (found?.name === former?.name) return former;
    former?.close().catch(() => undefined);
    former = undefined;
    if (!found) return undefined;
    const open = parts.openFormer(found.name);
    if (!open) unusable.add(found.name);
    else former = create({ name: found.name, open });
    return former;
  }

  /** Counts the passages that each model has embedded. The parameter has the counts of the first model. */
  function facts({ chunks, embedded }: StoreCounts): readonly ModelFacts[] {
    const elsewhere = [...others()].reduce((sum, number) => sum + catalog().slotsOf(number).length, 0);
    const of = chunks - elsewhere;
    const isFirst = { model: first.identity(), embedded: Math.min(embedded, of), of };
    if (!multilingual) return [isFirst];
    const model = multilingual.identity();
    return [isFirst, { model, embedded: store.counts(model).embedded, of: chunks }];
  }

  return {
    first,
    /** The model that embeds all passages. */
    covering: multilingual ?? first,
    languages,
    /** The models to embed with, and the documents that each leaves out. */
    toEmbed: () => own.map((model) => ({ model, except: model === multilingual ? [] : [...others()] })),
    facts,
    /**
     * Chooses the model that answers, by the language of question and documents. While the former model has more vectors than the
     * first model, the former model answers instead of the first.
     * @param facts about the first model
     */
    async choose(question: Question | undefined, { embedded, of }: ModelFacts): Promise<Chosen> {
      if (multilingual && question) {
        const words: Pick<CollectionWords, 'countOf'> = indexes().keyword;
        const isEnglish = await isEnglishQuestion(question, words, others(), parts.openDetector);
        if (!isEnglish || !isAmongEnglish(question, catalog(), others()))
          return { model: multilingual, role: 'multilingual', isEnglish };
      }
      const before = embedded < of ? formerModel() : undefined;
      if (before && store.counts(before.identity()).embedded > embedded) {
        const opened = await before.embedder().catch(() => undefined);
        // The folder of the former model may contain another model now.
        if (opened?.model === before.identity()) return { model: before, role: 'former', isEnglish: true };
        unusable.add(before.name);
      }
      return { model: first, role: 'first', isEnglish: true };
    },
    /** Saves the identities of the models that make the vectors from now on. */
    async note(): Promise<void> {
      const opened = await Promise.all(own.map(({ embedder }) => embedder()));
      const now = own.map(({ name }, index) => ({ name, model: opened[index]!.model }));
      const before = notedModels();
      const noted = [...now, ...before.filter((each) => now.every((other) => differ(each, other)))];
      const [{ name, model }, ...otherModels] = noted as [NotedModel, ...NotedModel[]];
      const stamps = store.getState('modelStamps') ?? {};
      const modelStamps = stampsOf(noted, opened, stamps);
      if (!isDeepStrictEqual([noted, modelStamps], [before, stamps]))
        store.setState({ model, modelName: name, otherModels, modelStamps });
    },
    /** Forgets the former model, after the current models have made all vectors. @returns identities of the current models */
    forgetFormer(): readonly string[] {
      const names = new Set(own.map(({ name }) => name));
      const noted = store.getState('otherModels') ?? [];
      const kept = noted.filter((each) => names.has(each.name));
      if (kept.length < noted.length) store.setState({ otherModels: kept });
      former?.close().catch(() => undefined);
      former = undefined;
      return own.map((each) => each.identity());
    },
    ready: () => [...own, former].flatMap((model) => model?.ready() ?? []),
    isInUse: () => [...own, former].some((model) => model?.isInUse()),
    /** Forgets the vectors, because another process may have changed them. */
    forget() {
      for (const model of [...own, former]) model?.forget();
      languages.forget();
    },
    async close() {
      await Promise.all([...own, former].map((model) => model?.close()));
    },
  };
}

type NotedModel = SavedState['otherModels'][number];

/** Returns the newest known stamp of each noted model. */
function stampsOf(
  noted: readonly NotedModel[],
  opened: readonly Embedder[],
  before: ModelStamps,
): ModelStamps {
  const now = opened.map(({ model, stamp }) => [stamp, model] as const);
  const byModel = new Map([...Object.entries(before), ...now].map(([stamp, model]) => [model, stamp]));
  const stamps = noted.map(({ model }) => [byModel.get(model), model] as const);
  return Object.fromEntries(stamps.filter(([stamp]) => stamp !== undefined));
}

function differ(a: NotedModel, b: NotedModel): boolean {
  return a.name !== b.name && a.model !== b.model;
}

type EmbeddingModel = ReturnType<typeof createEmbeddingModel>;

interface ModelServices {
  readonly store: Store;
  readonly idOf: (slot: number) => string;
  /** Returns the number of slots to make space for. */
  readonly slotLimit: () => number;
  /** Called when vectors are loaded. `isOther`: the model that made them is not the one that the index names. */
  readonly onLoaded: (isOther: boolean) => void;
}

/** One embedding model of an index. The model is opened and its vectors are loaded at the first use. */
function createEmbeddingModel({ name, open }: NamedModel, { store, onLoaded, ...places }: ModelServices) {
  const embedder = createLazyResource<Embedder>(() => open(store.getState('modelStamps') ?? {}));
  let semanticIndex: Promise<SemanticIndex> | undefined;
  let ready: SemanticIndex | undefined;
  const identity = () => ready?.embedder.model ?? notedIdentity(store, name) ?? name;

  return {
    name,
    /** Opens the model at the first use, without loading vectors. */
    embedder: embedder.get,
    /** Returns the identity of the model without opening it. If it has made no vectors yet, returns its name in the settings. */
    identity,
    semanticIndex(): Promise<SemanticIndex> {
      if (semanticIndex) return semanticIndex;
      const loading = loadSemanticIndex(store, embedder.get, places);
      semanticIndex = loading;
      loading.then(
        (loaded) => {
          if (semanticIndex !== loading) return;
          const noted = identity(); // `identity` uses `ready`
          ready = loaded;
          onLoaded(loaded.embedder.model !== noted);
        },
        () => {
          if (semanticIndex === loading) semanticIndex = undefined;
        },
      );
      return loading;
    },
    ready: () => ready,
    isInUse: () => semanticIndex !== undefined,
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
