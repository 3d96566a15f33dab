/** Remembers how long the last searches of each kind took, and nothing else about them. */
import type { SearchMode } from '../../core/model/query.ts';
import type { SearchReport, SearchTimes } from '../operations/operation.ts';

const KEPT = 200;

export function createSearchTimes() {
  const words = createTimes();
  const meaning = createTimes();
  return {
    add(mode: SearchMode, milliseconds: number): void {
      (mode === 'keyword' || mode === 'code' ? words : meaning).add(milliseconds);
    },
    report: (): SearchReport => ({ byWords: words.report(), withMeaning: meaning.report() }),
  };
}

function createTimes() {
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
