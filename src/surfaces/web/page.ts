/** The state that all parts of the page share. It is made once, when the page starts. */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type ComponentType, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { createAsking } from './asking/asking.ts';
import { createFinder } from './finder.ts';
import { createPlaceHistory } from './history.ts';
import type { createJudgements, JudgeProps, UnanswerableProps } from './judging/judgements.ts';
import { createLive } from './live.ts';
import type { Listed, OpenDocument, ViewName } from './place.ts';
import { createReader } from './reader.ts';
import { createRemembered } from './remembered.ts';
import { createRenderer } from './render-document.ts';
import type { AnswerTo, Outcome, Session } from './session.ts';

type StatusAnswer = AnswerTo<'/api/status'>;

/** Parts that only the page of a server has; `server-parts.ts` puts them together. */
export interface ServerParts {
  readonly createAsking: typeof createAsking;
  readonly createJudgements: typeof createJudgements;
  readonly JudgeButtons: ComponentType<JudgeProps>;
  readonly NewHits: ComponentType;
  readonly TokenDialog: ComponentType;
  readonly UnanswerableButton: ComponentType<UnanswerableProps>;
}

export type Page = Readonly<ReturnType<typeof createPage>>;

/** Milliseconds that a message is shown, and further milliseconds for each of its letters. */
const [MESSAGE_MS, LETTER_MS] = [4_000, 60];
/** Max milliseconds that hits wait for the status of the server. */
const MAX_WAIT_MS = 1_000;

/** @param views views that the server or the export offers */
export function createPage(session: Session, views: readonly ViewName[], parts?: ServerParts) {
  const live = createLive(session);
  const { place, go } = createPlaceHistory();
  const remembered = createRemembered();
  const message = signal('');
  effect(() => {
    if (message.value === '') return undefined;
    const timer = setTimeout(() => (message.value = ''), MESSAGE_MS + message.value.length * LETTER_MS);
    return () => clearTimeout(timer);
  });
  const status = signal<StatusAnswer | undefined>();
  const server = computed(() => status.value?.server);
  const isReady = signal(false);
  const collections = signal(1);
  void session.ask('/api/collections', {}).then((outcome) => {
    if (outcome?.answer) collections.value = outcome.answer.collections.length;
  });
  setTimeout(() => (isReady.value = true), MAX_WAIT_MS);
  // Ask again when the server comes back: it may be another server.
  effect(() => {
    void session.connection?.rounds.value;
    if (place.peek().view === 'status') return; // this view sends the same request itself
    void session.ask('/api/status', {}).then((outcome) => {
      if (outcome?.answer) status.value = outcome.answer;
      isReady.value = true;
    });
  });
  return {
    session,
    views,
    live,
    place,
    go,
    remembered,
    /** The last state of the index; undefined until the server has answered. The view of the status keeps it up to date. */
    status,
    /** Facts about the server, from its last status; undefined until it has answered. */
    server,
    /** Whether hits may be drawn. They wait for the status of the server, which may add controls that would move them. */
    isReady: isReady as ReadonlySignal<boolean>,
    /** Undefined for an export, like `judgements` and `asking`. */
    parts,
    judgements: parts?.createJudgements(session, () => server.value?.judging === true, message),
    asking: parts?.createAsking(session, place, () => server.value?.answers !== undefined, message),
    finder: createFinder(session, place, () => server.value?.reranking),
    reader: createReader(session, live, place),
    render: createRenderer(),
    /** The path of a document, below the name of its collection if there are several. */
    pathOf: ({ document_id, path }: Pick<Listed['documents'][number], 'document_id' | 'path'>) =>
      collections.value > 1 ? document_id : path,
    /** The list of documents that is shown without a query. */
    listed: signal<Outcome<Listed> | undefined>(),
    /** A short message that is shown and read aloud. */
    message,
    isHelpOpen: signal(false),
    open(document: OpenDocument): void {
      remembered.remember(place.value.query);
      // A new object, so that the reader goes to the lines again.
      go({ document: { ...document } });
    },
    close: () => go({ document: undefined }),
  };
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  return useContext(PageContext)!;
}
