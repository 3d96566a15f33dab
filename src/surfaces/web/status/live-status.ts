/** The state of the index and what needs care in it, kept up to date while the view is shown. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { DocumentChange, SyncProgress } from '../../../engine/api.ts';
import type { Page } from '../page.ts';
import type { Work } from '../progress.tsx';
import type { AnswerTo, Outcome, Told } from '../session.ts';

export type StatusAnswer = AnswerTo<'/api/status'>;
export type AuditAnswer = AnswerTo<'/api/audit'>;

export interface SeenChange extends DocumentChange {
  readonly at: Date;
}

export type LiveStatus = ReturnType<typeof createLiveStatus>;

const MAX_CHANGES = 30;
/** Milliseconds between an event and the next request. Events come in groups. */
const AFTER_EVENT_MS = 1_000;
/** Milliseconds between requests while there are no events: searches change the status, but send no events. */
const USUAL_MS = 10_000;

/** Phases by the states in the answer of the server. */
const PHASES = { idle: undefined, reading: 'read', embedding: 'embed' } as const;

/** Keeps the last state of the index in the status of the page. */
export function createLiveStatus({ session, live, status }: Page) {
  const audited = signal<AuditAnswer | undefined>();
  const work = signal<Work | undefined>();
  const changes = signal<readonly SeenChange[]>([]);
  const problem = signal<Told | undefined>();
  const stop = new AbortController();
  let limit = 20;
  let isAuditDue = true;
  let due = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function askWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (stop.signal.aborted || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(ask, milliseconds);
  }

  async function ask(): Promise<void> {
    due = Number.POSITIVE_INFINITY;
    // When the tab is shown again, the event `reset` starts the next request.
    if (document.visibilityState === 'hidden') return;
    const answer = keep(await session.ask('/api/status', {}, stop.signal));
    if (answer) {
      status.value = answer;
      const { state = 'idle', ...counts } = answer.server?.activity ?? {};
      const phase = PHASES[state];
      work.value = phase && { phase, ...counts };
    }
    // While documents are read, the lists change all the time, so ask for them later.
    if (isAuditDue && answer && work.peek()?.phase !== 'read') await askAudit();
    askWithin(USUAL_MS);
  }

  async function askAudit(): Promise<void> {
    isAuditDue = false;
    const asked = limit;
    const answer = keep(await session.ask('/api/audit', { limit: asked }, stop.signal));
    if (!answer) isAuditDue = true;
    else if (asked === limit) audited.value = answer; // otherwise, a longer list was asked for meanwhile
  }

  function keep<T>(outcome: Outcome<T> | undefined): T | undefined {
    if (!outcome) return undefined;
    problem.value = outcome.problem;
    return outcome.answer;
  }

  const unfollow = live.follow(({ event, data }) => {
    if (event === 'progress') {
      work.value = data as SyncProgress;
    } else if (event === 'changed') {
      const { documents } = data as { readonly documents: readonly DocumentChange[] };
      const seen = documents.map((each) => ({ ...each, at: new Date() })).reverse();
      changes.value = [...seen, ...changes.peek()].slice(0, MAX_CHANGES);
    }
    if (event !== 'progress') isAuditDue = true;
    askWithin(event === 'reset' ? 0 : AFTER_EVENT_MS);
  });

  return {
    /** The last answer; undefined before the first. */
    audit: audited as ReadonlySignal<AuditAnswer | undefined>,
    /** The present work of the server: reading or embedding. Undefined while it is idle. */
    work: work as ReadonlySignal<Work | undefined>,
    /** Documents that changed while the view was shown, the latest first. */
    changes: changes as ReadonlySignal<readonly SeenChange[]>,
    /** Why the last request failed. */
    problem: problem as ReadonlySignal<Told | undefined>,
    /** Asks for lists of up to `wanted` entries. */
    list(wanted: number): void {
      if (wanted <= limit) return;
      limit = wanted;
      void askAudit();
    },
    close(): void {
      unfollow();
      clearTimeout(timer);
      stop.abort();
    },
  };
}
