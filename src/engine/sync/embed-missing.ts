/** Embeds every passage without a vector, in groups called windows. If stopped, only the unfinished windows are lost. */
import type { SyncOptions, SyncProgress } from '../api.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { tokensPerCharacter } from './estimate-tokens.ts';
import { readAhead } from './read-ahead.ts';

/** Number of passages given to the embedder at once: enough to sort by length, few enough to commit every few seconds. */
const WINDOW = 128;

/** Number of passages fetched from the store at once: 32 windows. */
const FETCH = 32 * WINDOW;

/**
 * From this number of passages on, the indexes are unloaded: embedding then takes far longer than loading the indexes again. Above
 * this number, progress reports how much text a service on another machine gets, because the service may charge for it.
 */
const MANY = 1_000;

/** Number of windows embedded at a time: while one is written, the next are computed, so workers never wait for the disk. */
const IN_FLIGHT = 3;

/**
 * Max vectors kept without a passage: this share of the number of passages, but at least `KEPT_AT_LEAST`. The next `git checkout`
 * may bring their passages back.
 */
const KEPT_SHARE = 0.5;
const KEPT_AT_LEAST = 1_000;

/**
 * Progress counts all passages, also those that had a vector before. A sync of some files (`only`) must be fast: it leaves unused
 * vectors to the next full run, and its progress counts only the missing passages if these are fewer than `FETCH`.
 * @returns number of embedded passages
 */
export async function embedMissing(
  workspace: Workspace,
  { signal, onProgress, only }: SyncOptions,
): Promise<number> {
  const { store } = workspace;
  const work = await Promise.all((await workspace.prepareModels()).map(findMissing));
  const sumOf = (key: 'texts' | 'characters' | 'of') => work.reduce((sum, each) => sum + each[key], 0);
  const [texts, characters, of] = [sumOf('texts'), sumOf('characters'), sumOf('of')];
  // Frees memory for the embedder: a process that indexes for the first time may never search.
  if (!only && texts >= MANY) workspace.rest();
  let done = 0;
  let read = 0;

  async function findMissing({ model: { embedder: open }, except }: ToEmbed) {
    const embedder = await open();
    const { model } = embedder;
    const missing = store.missingVectors(model, FETCH, except);
    const few = missing.length === 0 || (only && missing.length < FETCH);
    const counts = few
      ? { texts: missing.length, characters: lengthOf(missing), of: missing.length }
      : store.countMissingVectors(model, except);
    return { embedder, except, missing, ...counts };
  }

  function report(model: string, more: Pick<SyncProgress, 'sending'> = {}): void {
    const share = characters > 0 ? Math.min(1, read / characters) : 1;
    const named = work.length > 1 && { model };
    onProgress?.({ phase: 'embed', done: of - texts + done, total: of, share, ...named, ...more });
  }

  async function embedAll({ embedder, except, ...found }: (typeof work)[number]): Promise<void> {
    const { model, host } = embedder;
    if (host !== undefined && found.texts > MANY) {
      const tokens = Math.ceil(found.characters * tokensPerCharacter(workspace));
      report(model, { sending: { host, passages: found.texts, tokens } });
    } else if (found.texts > 0) report(model);
    const embedWindow = async (window: typeof found.missing) => {
      signal?.throwIfAborted();
      const given = window.map(({ text }) => text);
      const vectors = await embedder.embedPassages(given, signal);
      const keyed = window.map(({ key }, index) => ({ key, vector: vectors[index]! }));
      workspace.putVectors(model, keyed);
      done += window.length;
      read += lengthOf(window);
      report(model);
    };
    for (let { missing } = found; missing.length > 0; ) {
      for await (const _ of readAhead(windows(missing), embedder.calls ?? IN_FLIGHT, embedWindow));
      // Fewer than `FETCH` passages are the last ones. If a file changed meanwhile, a later sync embeds its passages.
      missing = missing.length < FETCH ? [] : store.missingVectors(model, FETCH, except);
    }
  }

  try {
    for (const each of work) await embedAll(each);
    if (!only) {
      const models = workspace.models.forgetFormer();
      const pruned = [store.documentsEdition(), ...models].join(' ');
      if (done > 0 || store.getState('pruned') !== pruned) {
        const kept = Math.max(KEPT_AT_LEAST, Math.floor(store.counts('').chunks * KEPT_SHARE));
        store.pruneVectors(models, models.length * kept);
        store.setState({ pruned });
      }
    }
  } finally {
    // Tell other processes to load the vectors made so far, also after a stop.
    if (done > 0) workspace.announce();
  }
  return done;
}

type ToEmbed = Awaited<ReturnType<Workspace['prepareModels']>>[number];

function lengthOf(passages: readonly { readonly text: string }[]): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

function* windows<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += WINDOW) yield items.slice(start, start + WINDOW);
}
