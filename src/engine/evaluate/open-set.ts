/** The options under which an index holds the documents of a judged set. */
import type { OpenOptions } from '../api.ts';
import type { JudgedSet } from './judged-set.ts';

/** Index path, settings and such; documents are the set's. */
export type SetOpenOptions = Partial<Omit<OpenOptions, 'roots' | 'corpora'>>;

export function openOptionsFor({ documents: { kind, path } }: JudgedSet, given: SetOpenOptions): OpenOptions {
  return { ...given, ...(kind === 'corpus' ? { roots: [], corpora: [path] } : { roots: [path] }) };
}
