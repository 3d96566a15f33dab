/** Tells what is wrong once, however often it is met. */
import type { SyncReport } from '../api.ts';

type Warning = SyncReport['warnings'][number];

/** What may go wrong while the other goes well. */
type Work = 'reading' | 'embedding';

export interface TroubleOptions {
  /** Told once for a failure that lasts. */
  readonly onFailure?: (error: unknown) => void;
  /** Told once what is wrong with a file or a folder. */
  readonly onWarning?: (warning: Warning) => void;
}

export interface Trouble {
  /** It failed. */
  fail(work: Work, error: unknown): void;
  /** It did not fail: the same failure is told again when it comes back. */
  succeed(work: Work): void;
  /** All that is wrong with it now; what is no longer among it is told again when it comes back. */
  warn(work: Work, warnings: readonly Warning[]): void;
}

export function createTrouble({ onFailure, onWarning }: TroubleOptions): Trouble {
  const failures = new Map<Work, string>();
  const warned = new Map<Work, ReadonlySet<string>>();
  const isTold = (key: string) => [...warned.values()].some((keys) => keys.has(key));
  return {
    fail(work, error) {
      const message = String(error);
      if (![...failures.values()].includes(message)) onFailure?.(error);
      failures.set(work, message);
    },
    succeed(work) {
      failures.delete(work);
    },
    warn(work, warnings) {
      for (const warning of warnings) if (!isTold(keyOf(warning))) onWarning?.(warning);
      warned.set(work, new Set(warnings.map(keyOf)));
    },
  };
}

function keyOf({ path, message }: Warning): string {
  return `${path}\0${message}`;
}
