/** The table of operations: everything a user can ask for, read by every surface. */
import { evaluate } from './evaluate.ts';
import { indexFiles } from './index-files.ts';
import { search } from './search.ts';
import { searchWithHypothesis } from './search-with-hypothesis.ts';
import { status } from './status.ts';

/** In the order in which help and documentation show them. */
export const operations = [search, searchWithHypothesis, indexFiles, status, evaluate] as const;

/** One of them, with its types told apart by `name`. */
export type AnyOperation = (typeof operations)[number];
