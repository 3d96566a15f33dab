/** Remembers how long the last searches took, and nothing else about them. */
import type { SearchTimes } from '../operations/operation.ts';

const KEPT = 200;

export function createSearchTimes() {
  const recent: number[] = [];
  let count = 0;
  return {
    add(milliseconds: number): void {
      count++;
      recent.push(Math.round(milliseconds * 10) / 10);
      if (recent.length > KEPT) recent.shift();
    },
    report: (): SearchTimes => ({ count, recentMs: [...recent] }),
  };
}
