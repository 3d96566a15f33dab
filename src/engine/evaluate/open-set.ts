/** The options under which an index holds the documents of a judged set. */
import type { OpenOptions } from '../api.ts';
import type { JudgedSet } from './judged-set.ts';

/** Index path, settings and such; documents are the set's. */
export type SetOpenOptions = Partial<Omit<OpenOptions, 'roots' | 'corpora'>>;

export function openOptionsFor(
  { documents: { kind, path } }: Pick<JudgedSet, 'documents'>,
  given: SetOpenOptions,
): OpenOptions {
  return { ...given, ...(kind === 'corpus' ? { roots: [], corpora: [path] } : { roots: [path] }) };
}

/** One chunk a document ranks documents by their best chunk, and reaches as deep as the candidates allow. */
export function openToRank(set: Pick<JudgedSet, 'documents'>, given: SetOpenOptions = {}): OpenOptions {
  const search = { max_chunks_per_doc: 1, ...given.settings?.search };
  return openOptionsFor(set, { ...given, settings: { ...given.settings, search } });
}
