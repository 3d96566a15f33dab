/** Keeps the store and what is derived from it in step: the only place that changes both. */
import type { Thesaurus } from '../../core/ports.ts';
import type { Steps } from '../../core/steps.ts';
import type { IndexFacts } from '../api.ts';
import { inTurns } from '../in-turns.ts';
import { keepOpen } from '../keep-open.ts';
import { readFacts } from './index-facts.ts';
import { createLinkMemory, type LinkMemory } from './link-memory.ts';
import { isMeaningAway, loadMeaning, type Meaning, wordsOnly } from './meaning.ts';
import { loadMemory, type Memory } from './memory.ts';
import { createVocabulary } from './vocabulary.ts';
import type { Workspace, WorkspaceParts } from './workspace.ts';

/** Raise it when reading or cutting changes: every file is then read again, and only new passages embedded. */
const READER_VERSION = 6;

export function createWorkspace(parts: WorkspaceParts): Workspace {
  const { store, clock, chunking, analyzers } = parts;
  const roots = parts.collections.map(({ name, root }) => `${name}=${root}`).sort(); // their order means nothing
  const recipe = JSON.stringify({ reader: READER_VERSION, chunking, roots });
  let generation = store.getState('generation') ?? 0;
  /** Whether the documents in memory were all there were after some run. */
  let complete = store.getState('updated') !== undefined;
  /** Absent while it rests; `held()` loads it then. */
  let memory: Memory | undefined;
  let links: LinkMemory | undefined;
  /** Whether the words of some document are in memory alone. */
  let unsaved = false;
  const embedder = keepOpen(parts.openEmbedder);
  const scan = keepOpen(parts.openScan);
  let meaning: Promise<Meaning> | undefined;
  /** The settled value of `meaning`, for changes that cannot wait. */
  let ready: Meaning | undefined;
  let thesaurus: Thesaurus | undefined;
  const vocabulary =
    parts.expandQueries && store.vocabulary
      ? createVocabulary(store, store.vocabulary, analyzers.all)
      : undefined;
  let known: IndexFacts | undefined;

  function held(): Memory {
    if (memory === undefined) {
      memory = loadMemory(store, analyzers, parts.words);
      unsaved = memory.repaired > 0;
    }
    return memory;
  }

  function heldLinks(): LinkMemory {
    links ??= createLinkMemory(store, held().catalog);
    return links;
  }

  function loadedMeaning(): Promise<Meaning> {
    if (meaning) return meaning;
    const loading = loadMeaning({
      ...{ store, openEmbedder: embedder.get, openScan: scan.get },
      idOf: (slot) => held().catalog.idOf(slot),
    });
    meaning = loading;
    loading.then(
      (loaded) => {
        if (meaning === loading) ready = loaded;
        changed();
      },
      () => {
        if (meaning === loading) meaning = undefined;
      },
    );
    return loading;
  }

  /** Passages that were embedded before, such as those of a renamed file, have their vectors at once. */
  function* addKnownVectors({ embedder, semantic }: Meaning, slots: readonly number[]): Steps<void> {
    for (const slot of slots) {
      const vector = store.vector(embedder.model, slot);
      if (vector) semantic.addVector(slot, vector);
      yield;
    }
  }

  /** The model whose vectors are used, known before it is opened; by its name alone where none were made with it. */
  function currentModel(): string {
    if (ready) return ready.embedder.model;
    const known = (store.getState('modelName') ?? parts.modelName) === parts.modelName;
    return (known ? store.getState('model') : undefined) ?? parts.modelName;
  }

  const changed = () => {
    known = undefined;
  };

  function announce(): void {
    generation = (store.getState('generation') ?? 0) + 1;
    store.setState({ generation });
  }

  held();
  return {
    ...parts,
    recipeChanged: () => held().catalog.documents > 0 && store.getState('fingerprint') !== recipe,
    unread: () => (store.getState('fingerprint') === recipe ? (store.getState('staleDocuments') ?? []) : []),
    noteRecipe(unread) {
      store.setState(
        unread === 'anywhere' ? { fingerprint: 'mixed' } : { staleDocuments: unread, fingerprint: recipe },
      );
    },
    async put(document, text, replaced) {
      const [memory, links] = [held(), heldLinks()]; // before the store has it, or it would be loaded and put
      const { number, slots, removed } = store.putDocument(document);
      if (replaced) {
        memory.remove(replaced.number);
        links.remove(replaced.number);
      }
      ready?.semantic.remove(removed);
      // As the store gives it back: a string cut out of a text would keep the whole text in memory.
      const record = store.document(number)!;
      memory.put({ record, slots, chunks: document.chunks, contents: document.contents, text });
      links.put(memory.catalog.document(number)!, () => store.linksOf(number));
      unsaved = true;
      changed();
      await inTurns(memory.settle());
      if (ready) await inTurns(addKnownVectors(ready, slots));
    },
    touch(document, file) {
      store.touchDocument(document.number, file);
      held().touch({ ...document, ...file });
    },
    remove(number) {
      const [memory, links] = [held(), heldLinks()];
      const slots = store.removeDocument(number);
      ready?.semantic.remove(slots);
      memory.remove(number);
      links.remove(number);
      unsaved = true;
      changed();
    },
    repaired: () => (unsaved ? (memory?.repaired ?? 0) : 0),
    catalog: () => held().catalog,
    links: heldLinks,
    noteModel(identity) {
      const noted = store.getState('model') === identity && store.getState('modelName') === parts.modelName;
      if (!noted) store.setState({ model: identity, modelName: parts.modelName });
      changed();
    },
    settleLinks(keep) {
      if (heldLinks().settle(parts.hash, keep)) announce();
    },
    async flush() {
      if (!unsaved) return;
      if (memory) await inTurns(memory.flush());
      unsaved = false;
      announce();
    },
    announce,
    finishReading(skipped, scope) {
      const before = (scope && store.getState('skipped')) ?? [];
      const elsewhere = before.filter(({ path }) => !scope?.covers(path));
      store.setState({
        roots: parts.collections.map(({ root }) => root),
        skipped: [...elsewhere, ...skipped],
        updated: new Date(clock.now()).toISOString(),
      });
      if (!complete) announce(); // to those who loaded what there was so far
      complete = true;
      changed();
    },
    embedder: embedder.get,
    meaning: loadedMeaning,
    putVectors(model, vectors) {
      store.putVectors(model, vectors);
      changed();
      if (!ready) return;
      const byKey = new Map(vectors.map(({ key, vector }) => [key, vector]));
      for (const { slot, key } of store.slotsOfVectorKeys([...byKey.keys()])) {
        ready.semantic.addVector(slot, byKey.get(key)!);
      }
    },
    rest() {
      if (unsaved || meaning) return;
      memory = links = undefined;
      vocabulary?.forget();
    },
    async updateVocabulary(signal) {
      await vocabulary?.update(await embedder.get(), held().documents.segments(), signal);
    },
    forgetUnused() {
      const model = currentModel();
      store.pruneVectors(undefined, 0);
      if (vocabulary) vocabulary.prune(model, held().documents.segments());
      else store.vocabulary?.update(model, store.vocabulary.words(model), []);
    },
    refresh() {
      const current = store.getState('generation') ?? 0;
      if (current === generation) return false;
      generation = current;
      complete = store.getState('updated') !== undefined; // before the documents, which may all be there a moment later
      memory = links = meaning = ready = undefined;
      held();
      vocabulary?.forget();
      changed();
      return true;
    },
    async services(mode) {
      const { catalog, keyword, code, documents, passageFacts } = held();
      const model = currentModel();
      thesaurus ??= parts.openThesaurus?.();
      const words = {
        catalog,
        keyword,
        model,
        code,
        documents,
        analyzers,
        readChunks: store.chunks,
        rerank: parts.reranker.score,
        readTexts: store.texts,
        ...passageFacts,
        readParents: store.parents,
        vectorOf: (slot: number) => store.vector(model, slot),
        links: heldLinks().edges,
        communityOf: heldLinks().communityOf,
        lexicon: parts.lexicon,
        ...(thesaurus && { thesaurus }),
      };
      if (mode === 'keyword' || mode === 'code') return { services: words };
      try {
        const loaded = await loadedMeaning();
        const { embedder, semantic, vectorOf } = loaded;
        const embedQuery = embedder.embedQuery;
        const embedPassage = async (text: string) => (await embedder.embedPassages([text]))[0]!;
        const services = { ...words, semantic, vectorOf, embedQuery, embedPassage };
        return { services: vocabulary ? { ...services, vocabulary: vocabulary.index(loaded) } : services };
      } catch (error) {
        if (!isMeaningAway(error) || mode === 'semantic') throw error;
        return { services: words, problem: wordsOnly(error) };
      }
    },
    facts(anew = false) {
      known = (!anew && known) || readFacts(store, currentModel());
      // Another process may be making the index anew since.
      if (complete && store.getState('updated') !== undefined) return known;
      const { updated, ...facts } = known;
      return facts;
    },
    async close() {
      thesaurus?.close();
      await parts.reranker.close();
      await Promise.all([embedder.close(), scan.close()]);
      store.close();
    },
  };
}
