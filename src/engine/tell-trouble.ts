/** Tells what is wrong once, however often it is met. */
import type { SyncReport } from './api.ts';

type Warning = SyncReport['warnings'][number];

export interface TroubleOptions {
  /** Told once for a failure that lasts. */
  readonly onFailure?: (error: unknown) => void;
  /** Told once what is wrong with a file or a folder. */
  readonly onWarning?: (warning: Warning) => void;
}

export interface Trouble {
  /** It failed. */
  fail(error: unknown): void;
  /** It did not fail: the same failure is told again when it comes back. */
  succeed(): void;
  /** All that is wrong now; what is no longer among it is told again when it comes back. */
  warn(warnings: readonly Warning[]): void;
}

export function createTrouble({ onFailure, onWarning }: TroubleOptions): Trouble {
  let failure: string | undefined;
  let warned: ReadonlySet<string> = new Set();
  return {
    fail(error) {
      const message = String(error);
      if (message !== failure) onFailure?.(error);
      failure = message;
    },
    succeed() {
      failure = undefined;
    },
    warn(warnings) {
      for (const warning of warnings) if (!warned.has(keyOf(warning))) onWarning?.(warning);
      warned = new Set(warnings.map(keyOf));
    },
  };
}

function keyOf({ path, message }: Warning): string {
  return `${path}\0${message}`;
}
