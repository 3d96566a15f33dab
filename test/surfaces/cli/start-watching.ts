/** The real command `index` that stays, for a test. */
import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Playground } from './docfuse.ts';

/** How long a test waits for what it tells. */
export const LATE = { timeout: 30_000, interval: 50 };

/** `docfuse index` with these arguments, until the test ends; what it prints grows in `out`. */
export function startWatching(playground: Playground, args: readonly string[]) {
  const out = { stdout: '', stderr: '' };
  let child: ChildProcess | undefined;
  const outcome = playground.run(['index', ...args], {
    onStart(started) {
      child = started;
      started.stdout?.on('data', (text: string) => (out.stdout += text));
      started.stderr?.on('data', (text: string) => (out.stderr += text));
    },
  });
  onTestFinished(() => void child?.kill('SIGKILL'));
  return { out, outcome, stop: () => child?.kill('SIGINT') };
}
