/** Embeds the passages that wait in PostgreSQL, until it is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports.ts';
import { isAway } from './client.ts';
import type { EmbeddingJobs } from './embedding-jobs.ts';
import { BATCH, LANES } from './shared-embedder.ts';

export interface WorkerOptions {
  /** Ends after the batches that are being embedded. */
  readonly signal: AbortSignal;
  /** Whether to end when no passage waits. */
  readonly once: boolean;
  readonly onEmbedded: (passages: number) => void;
  /** Called with a line about what keeps the worker from working. Each line is passed once, until passages are embedded. */
  readonly onNote: (line: string) => void;
}

const POLL_MS = 500;
/** Pauses while the server does not answer; the last one repeats. */
const AWAY_MS = [1_000, 5_000, 15_000];
/** After this number of failed batches in a row, the fault is in the model and not in a text. */
const MAX_FAILURES = 5;

/** @throws DocfuseError what PostgreSQL refuses; with `once`, also that it does not answer; `config` if all passages wait for another model */
export async function runWorker(
  jobs: EmbeddingJobs,
  embedders: readonly Embedder[],
  { signal, once, onEmbedded, onNote }: WorkerOptions,
): Promise<number> {
  const told = new Set<string>();
  let embedded = 0;
  let failures = 0;

  function note(line: string): void {
    if (!told.has(line)) onNote(line);
    told.add(line);
  }

  /** Embeds one batch. @returns whether there was one */
  async function embedBatch(): Promise<boolean> {
    for (const { model, embedPassages } of embedders) {
      const batch = await jobs.take(model, BATCH);
      if (batch.length === 0) continue;
      const keys = batch.map(({ key }) => key);
      const embed = () => embedPassages(batch.map(({ text }) => text));
      const vectors = await jobs.during(model, keys, embed).catch((error: Error) => error);
      if (vectors instanceof Error) await handBack(model, keys, vectors);
      else {
        await jobs.finish(model, keys, vectors);
        failures = 0;
        embedded += keys.length;
        told.clear();
        onEmbedded(keys.length);
      }
      return true;
    }
    return false;
  }

  /** Lets another process try. A passage that fails three times is left to its indexer. */
  async function handBack(model: string, keys: readonly string[], error: Error): Promise<void> {
    await jobs.release(model, keys);
    if (++failures >= MAX_FAILURES) throw error;
    note(`${keys.length} passages could not be embedded and are given back: ${error.message}`);
    await sleep(POLL_MS * failures, undefined, { signal }).catch(() => {});
  }

  /** @returns the error that passages wait for other models than those of this worker; undefined if none do */
  async function findOthers(): Promise<DocfuseError | undefined> {
    const own = embedders.map(({ model }) => model);
    const others = (await jobs.waitingModels()).filter((model) => !own.includes(model));
    if (others.length === 0) return undefined;
    return new DocfuseError(
      'config',
      `Passages wait for vectors of ${others.join(' and ')}, but this worker has ${own.join(' and ')}.`,
      'Give the worker the settings under [embedding] that the indexing machine has, and the same files of the model.',
    );
  }

  async function lane(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      if (await embedBatch()) continue;
      const others = await findOthers();
      if (once && others && embedded === 0) throw others;
      if (others) note(`${others.message} ${others.remedy}`);
      if (once) return;
      await sleep(POLL_MS, undefined, { signal: stop }).catch(() => {});
    }
  }

  /** Runs lanes until they are told to stop, or until one of them fails and the others have ended. */
  async function runLanes(): Promise<void> {
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, failed.signal]);
    const lanes = Array.from({ length: LANES }, () => lane(stop));
    for (const each of lanes) each.catch(() => failed.abort());
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
  }

  for (let outages = 0; ; ) {
    try {
      await jobs.check();
      outages = 0;
      await runLanes();
      return embedded;
    } catch (error) {
      const { code, message } = error as DocfuseError;
      const isEmpty = code === 'index_missing';
      if (once || signal.aborted || !(isAway(error) || isEmpty)) throw error;
      note(
        isEmpty ? 'There is no table of passages yet; docfuse index makes it.' : `${message} Trying again.`,
      );
      const pause = isEmpty ? POLL_MS : (AWAY_MS[outages++] ?? AWAY_MS.at(-1)!);
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return embedded;
    }
  }
}
