/** The answer in what a model wrote, for one that comes in one piece. */
import { createThoughtFilter } from '../../core/text/thought-filter.ts';

/** Leaves out the thought that it begins with; a thought without an end leaves nothing. */
export function withoutThoughts(text: string): string {
  const thoughts = createThoughtFilter();
  return thoughts.take(text) + thoughts.rest();
}
