/** Asks the server of the page: sends the token if one is needed, and waits for a server that does not answer. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import { readEvents } from '../attach/read-events.ts';
import type { AnswerOf } from '../operations/operation.ts';
import type { Named } from '../operations/operations.ts';
import type { Problem } from '../operations/problem.ts';
import { openStorage } from './storage.ts';

/** The operations that the page asks for, by their paths. */
export interface Routes {
  readonly '/api/judge': Named<'judge'>;
  readonly '/api/judged': Named<'list_judged'>;
  readonly '/api/tune': Named<'tune'>;
  readonly '/api/ask': Named<'ask'>;
  readonly '/api/search': Named<'search'>;
  readonly '/api/documents': Named<'list'>;
  readonly '/api/documents/{document}': Named<'read'>;
  readonly '/api/tags': Named<'list_tags'>;
  readonly '/api/collections': Named<'list_collections'>;
  readonly '/api/related': Named<'related'>;
  readonly '/api/map': Named<'map'>;
  readonly '/api/status': Named<'status'>;
  readonly '/api/audit': Named<'audit'>;
  readonly '/api/doctor': Named<'doctor'>;
}

export type Told = Pick<Problem<string>, 'code' | 'detail' | 'remedy'>;
export type Outcome<T> =
  | { readonly answer: T; readonly problem?: undefined }
  | { readonly problem: Told; readonly answer?: undefined };
type Hear = (event: string, data: unknown) => void;
export type InputTo<Path extends keyof Routes> = z.input<Routes[Path]['input']>;
export type AnswerTo<Path extends keyof Routes> = AnswerOf<Routes[Path]>;

/** Search by meaning in an export. The reader switches it on, because the browser loads a model for it. */
export interface Meaning {
  /** Size of all that the browser loads for search by meaning: model, runtime and vectors. */
  readonly bytes: number;
  readonly loaded: ReadonlySignal<number>;
  readonly state: ReadonlySignal<MeaningState>;
  /** Why search by meaning failed, or why words alone gave the latest answer. */
  readonly problem: ReadonlySignal<string | undefined>;
  switchTo(on: boolean): void;
}
export type MeaningState = 'off' | 'loading' | 'ready' | 'failed';

export interface Session {
  /** Undefined for an export without vectors, and until the page has loaded its first file. */
  readonly meaning?: ReadonlySignal<Meaning | undefined>;
  /**
   * Asks for an operation; undefined if the signal was aborted.
   * @param hear called with each event that the server sends before its answer, such as progress
   */
  ask<Path extends keyof Routes>(
    path: Path,
    input: InputTo<Path>,
    stop?: AbortSignal,
    hear?: Hear,
  ): Promise<Outcome<AnswerTo<Path>> | undefined>;
  /** Absent for an export: its page loads files that never change, and each search for a new word loads some of them. */
  readonly connection?: Connection;
}

export interface Connection {
  /** Opens a stream of text; undefined if the server does not send one. */
  listen(path: string, stop: AbortSignal): Promise<ReadableStream<string> | undefined>;
  readonly token: ReadonlySignal<'fine' | 'missing' | 'wrong'>;
  /** Keeps the token until the tab is closed, and sends the waiting requests again. */
  giveToken(token: string): void;
  readonly isAway: ReadonlySignal<boolean>;
  /** Grows when the page must ask again for what it shows: the server came back, or the reader wants to see changes. */
  readonly rounds: ReadonlySignal<number>;
  askAgain(): void;
}

const TOKEN_KEY = 'docfuse-token';
const TRY_AGAIN_MS = 2_000;
const AWAY: Told = {
  code: 'away',
  detail: 'The server does not answer.',
  remedy: 'This page waits for it.',
};

export function createSession(): Session {
  const token = signal<'fine' | 'missing' | 'wrong'>('fine');
  const isAway = signal(false);
  const rounds = signal(0);
  const storage = openStorage(() => sessionStorage);
  let given = Promise.withResolvers<void>();

  async function send(path: string, options: RequestInit): Promise<Response> {
    const kept = storage.getItem(TOKEN_KEY);
    const headers = { ...options.headers, ...(kept && { authorization: `Bearer ${kept}` }) };
    const response = await fetch(path, { ...options, headers });
    if (response.status !== 401) return response;
    // Another token may have been given while this one was refused.
    if (storage.getItem(TOKEN_KEY) === kept) {
      token.value = kept ? 'wrong' : 'missing';
      await new Promise<void>((resolve) => {
        void given.promise.then(resolve);
        options.signal?.addEventListener('abort', () => resolve()); // `fetch` refuses an aborted request
      });
    }
    return send(path, options);
  }

  function askAgain(): void {
    rounds.value++;
  }

  async function waitForServer(): Promise<void> {
    if (isAway.value) return;
    isAway.value = true;
    while (isAway.value) {
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      if (!(await fetch('/healthz').catch(() => undefined))?.ok) continue;
      isAway.value = false;
      askAgain();
    }
  }

  const ask: Session['ask'] = async (path, input, stop, hear) => {
    const { document, ...body } = input as { readonly document?: string };
    const inPath = path.includes('{document}');
    const target = path.replace('{document}', () => encodeURIComponent(document ?? ''));
    try {
      const response = await send(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(hear && { accept: 'application/json, text/event-stream' }),
        },
        body: JSON.stringify(inPath ? body : input),
        ...(stop && { signal: stop }),
      });
      if (hear && response.headers.get('content-type') === 'text/event-stream')
        return await readToEnd(response.body!.pipeThrough(new TextDecoderStream()), hear);
      const told = await response.json();
      return response.ok ? { answer: told } : { problem: told };
    } catch {
      if (stop?.aborted) return undefined;
      void waitForServer();
      return { problem: AWAY };
    }
  };

  const connection: Connection = {
    async listen(path, stop) {
      const response = await send(path, { signal: stop }).catch(() => undefined);
      return response?.ok ? response.body?.pipeThrough(new TextDecoderStream()) : undefined;
    },
    token,
    giveToken(text) {
      storage.setItem(TOKEN_KEY, text.trim());
      token.value = 'fine';
      given.resolve();
      given = Promise.withResolvers();
    },
    isAway,
    rounds,
    askAgain,
  };
  return { ask, connection };
}

/** @throws Error if the stream ends before the answer */
async function readToEnd<T>(stream: ReadableStream<string>, hear: Hear): Promise<Outcome<T>> {
  for await (const { event, data } of readEvents(stream)) {
    if (event === 'answer') return { answer: data as T };
    if (event === 'problem') return { problem: data as Told };
    hear(event, data);
  }
  throw new Error('The stream ended before the answer.');
}
