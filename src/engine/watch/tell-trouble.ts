/** Tells what is wrong once, however often it is met. */
import type { SyncReport } from '../api.ts';

type Warning = SyncReport['warnings'][number];

/** Work that can fail independently of the other. */
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
  /** It worked: a later failure is told, even if it is the same. */
  succeed(work: Work): void;
  /** All current problems; a problem that goes away and returns is told again. */
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
