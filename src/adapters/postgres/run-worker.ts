/** Embeds the passages that wait in PostgreSQL, until it is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports.ts';
import { isAway } from './client.ts';
import type { EmbeddingJobs, Job } from './embedding-jobs.ts';
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
/** Pauses while the server or an embedding service does not answer; the last one repeats. */
const AWAY_MS = [1_000, 5_000, 15_000];
/** After this number of failed batches in a row, or of texts at the beginning of one, the fault is in the model and not in a text. */
const MAX_FAILURES = 5;

const keysOf = (batch: readonly Job[]) => batch.map(({ key }) => key);
const pauseAfter = (failures: number) => AWAY_MS[failures - 1] ?? AWAY_MS.at(-1)!;

/** Whether the cause is a service or a setting. Another process may embed the same texts. */
function isOutside(error: Error): error is DocfuseError {
  return error instanceof DocfuseError && (error.code === 'remote' || error.code === 'config');
}

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

  /** Takes a batch and embeds it. @returns whether there was one */
  async function embedBatch(stop: AbortSignal): Promise<boolean> {
    for (const embedder of embedders) {
      const batch = await jobs.take(embedder.model, BATCH);
      if (batch.length === 0) continue;
      const error = await embed(embedder, batch);
      if (error) await handBack(embedder, batch, error, stop);
      return true;
    }
    return false;
  }

  /** @returns the error of the model, if it fails; then no vector is stored */
  async function embed(
    { model, embedPassages }: Embedder,
    batch: readonly Job[],
  ): Promise<Error | undefined> {
    const make = () => embedPassages(batch.map(({ text }) => text));
    const vectors = await jobs.during(model, keysOf(batch), make).catch((error: Error) => error);
    if (vectors instanceof Error) return vectors;
    await jobs.finish(model, keysOf(batch), vectors);
    failures = 0;
    embedded += batch.length;
    told.clear();
    onEmbedded(batch.length);
    return undefined;
  }

  /** Embeds text by text. @returns texts with which the model fails, none if it fails with the first ones; or an error that blames no text */
  async function findFailing(embedder: Embedder, batch: readonly Job[], stop: AbortSignal) {
    const failing: Job[] = [];
    let worked = 0;
    for (const job of batch) {
      if (stop.aborted || (worked === 0 && failing.length === MAX_FAILURES)) break;
      const error = await embed(embedder, [job]);
      if (error && isOutside(error)) return error;
      if (error) failing.push(job);
      else worked++;
    }
    return worked > 0 ? failing : [];
  }

  /** Lets another process try, and waits for longer after each failure in a row. A text is blamed if the model fails with it alone. */
  async function handBack(
    embedder: Embedder,
    batch: readonly Job[],
    first: Error,
    stop: AbortSignal,
  ): Promise<void> {
    const { model } = embedder;
    const find = async () =>
      isOutside(first) ? first : batch.length === 1 ? batch : findFailing(embedder, batch, stop);
    const found = await jobs.during(model, keysOf(batch), find);
    const isAway = found instanceof Error && found.code === 'remote' && !once;
    const failing = found instanceof Error ? [] : found;
    await jobs.release(model, keysOf(failing), true);
    await jobs.release(model, keysOf(batch), false); // Those that have a vector now, or are blamed, are no longer leased.
    const error = found instanceof Error ? found : first;
    failures++;
    if (found instanceof Error ? !isAway : failures >= MAX_FAILURES) throw error;
    note(
      isAway
        ? `${error.message} Trying again.`
        : `The model failed, and passages are given back: ${error.message}`,
    );
    await sleep(isAway ? pauseAfter(failures) : POLL_MS * failures, undefined, { signal: stop }).catch(
      () => {},
    );
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
      if (await embedBatch(stop)) continue;
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
      if (outages > 0) {
        onNote('PostgreSQL answers again.');
        told.clear();
      }
      outages = 0;
      await runLanes();
      return embedded;
    } catch (error) {
      const { code, message } = error as DocfuseError;
      const isEmpty = code === 'index_missing';
      const mayPass = isAway(error) || isEmpty;
      if (mayPass && signal.aborted) return embedded;
      if (once || !mayPass) throw error;
      note(
        isEmpty ? 'There is no table of passages yet; docfuse index makes it.' : `${message} Trying again.`,
      );
      const pause = isEmpty ? POLL_MS : pauseAfter(++outages);
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return embedded;
    }
  }
}
