/** The log of `serve`, on stderr: lines for people, or each event as a line of JSON. It holds no query. */
import { oneLine, safeJson } from '../../core/text/one-line.ts';
import type { DocumentChange } from '../../engine/api.ts';
import type { StartOptions } from '../http/start-server.ts';
import { toDocfuseError } from '../operations/problem.ts';
import { noteStopped, noteTrouble } from './watch.ts';

export const LOG_FORMATS = ['text', 'json'] as const;

interface ServeLog extends Pick<StartOptions, 'onChanges' | 'onWarning' | 'onFailure' | 'onAnswer'> {
  serving(url: string, indexPath: string): void;
  stopping(): void;
  stopped(): void;
}

/** Max changes named in one line. */
const NAMED_CHANGES = 3;

export function createTextLog(note: (line: string) => void): ServeLog {
  const log = (line: string) => note(`${new Date().toTimeString().slice(0, 8)} ${line}`);
  return {
    ...noteTrouble(log),
    onChanges: (changes) => log(describeChanges(changes)),
    serving: () => {},
    stopping: () => {},
    stopped: () => noteStopped(note),
  };
}

export function createJsonLog(note: (line: string) => void): ServeLog {
  const log = (...given: Parameters<typeof logLine>) => note(logLine(...given));
  return {
    onAnswer: ({ milliseconds, ...answered }) =>
      log('info', 'answer', { ...answered, ms: Math.round(milliseconds * 10) / 10 }),
    onChanges: (changes) =>
      log('info', 'changed', { count: changes.length, documents: changes.slice(0, NAMED_CHANGES) }),
    onWarning: ({ path, message }) => log('warning', 'warning', { ...(path && { path }), message }),
    onFailure(error) {
      const { code, message, remedy } = toDocfuseError(error);
      log('error', 'failure', { code, message, remedy });
    },
    serving: (url, indexPath) => log('info', 'serving', { url, index_path: indexPath, pid: process.pid }),
    stopping: () => log('info', 'stopping'),
    stopped: () => log('info', 'stopped'),
  };
}

export function logLine(level: 'info' | 'warning' | 'error', event: string, facts = {}): string {
  return safeJson({ time: new Date().toISOString(), level, event, ...facts });
}

/** Returns a text such as `changed docs/a.md, removed docs/b.md and 3 more`. */
function describeChanges(changes: readonly DocumentChange[]): string {
  const named = changes.slice(0, NAMED_CHANGES).map(({ document, change }) => `${change} ${document}`);
  const rest = changes.length - named.length;
  return oneLine(named.join(', ') + (rest > 0 ? ` and ${rest} more` : ''));
}
