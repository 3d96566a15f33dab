/** Search by meaning in the page of an export: starts and ends the worker, and asks it. */
import { signal } from '@preact/signals';
import { type ExportStart, WORKER_FILE } from '../../../core/fragments/export-format.ts';
import type { AnswerTo, InputTo, Meaning, MeaningState, Outcome } from '../session.ts';
import { openStorage } from '../storage.ts';

type Input = InputTo<'/api/search'>;
type Found = Outcome<AnswerTo<'/api/search'>>;

export type ToWorker =
  | { readonly start: ExportStart }
  | { readonly id: number; readonly input: Input }
  | { readonly stop: number };
export type FromWorker =
  | { readonly loaded: number }
  | { readonly isReady: true }
  /** A problem without `id` ends the worker. */
  | { readonly id?: number; readonly problem: string }
  | { readonly id: number; readonly outcome: Found };

export interface SiteMeaning extends Meaning {
  /** Undefined if the worker cannot answer this question, or if the question was withdrawn. */
  ask(input: Input, stop?: AbortSignal): Promise<Found | undefined>;
  /** Ends the worker. The choice of the reader stays stored. */
  close(): void;
}

/** Prefix of the storage key of an export. The key is set if the reader switched search by meaning on. */
const KEY = 'docfuse-meaning ';

export function createMeaning(base: string, start: ExportStart): SiteMeaning | undefined {
  if (!start.meaning) return undefined;
  const { bytes, folder } = start.meaning;
  const state = signal<MeaningState>('off');
  const loaded = signal(0);
  const problem = signal<string | undefined>();
  const waiting = new Map<number, (outcome?: Found) => void>();
  let worker: Worker | undefined;
  let last = 0;

  function settle(id: number, outcome?: Found): void {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  }

  function end(next: 'off' | 'failed', reason?: string): void {
    problem.value = reason;
    worker?.terminate();
    worker = undefined;
    state.value = next;
    for (const id of waiting.keys()) settle(id);
  }

  function begin(): void {
    loaded.value = 0;
    problem.value = undefined;
    state.value = 'loading';
    worker = new Worker(`${base}${folder}/${WORKER_FILE}`, { type: 'module' });
    worker.onerror = ({ message }) =>
      end('failed', message || `The file ${WORKER_FILE} could not be loaded.`);
    worker.onmessage = ({ data: message }: MessageEvent<FromWorker>) => {
      if ('loaded' in message) loaded.value = message.loaded;
      else if ('isReady' in message) state.value = 'ready';
      else if ('outcome' in message) {
        problem.value = undefined;
        settle(message.id, message.outcome);
      } else if (message.id === undefined) end('failed', message.problem);
      else {
        problem.value = message.problem;
        settle(message.id);
      }
    };
    send({ start });
  }

  const send = (message: ToWorker) => worker?.postMessage(message);
  const storage = openStorage(() => localStorage);
  if (storage.getItem(KEY + base)) begin();
  return {
    bytes,
    state,
    loaded,
    problem,
    switchTo(on) {
      if (on) storage.setItem(KEY + base, 'on');
      else storage.removeItem(KEY + base);
      if (on) begin();
      else end('off');
    },
    async ask(input, stop) {
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<Found | undefined>();
      waiting.set(id, resolve);
      stop?.addEventListener('abort', () => {
        send({ stop: id });
        settle(id);
      });
      send({ id, input });
      return promise;
    },
    close: () => end('off'),
  };
}
