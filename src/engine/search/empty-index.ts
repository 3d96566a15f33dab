/** Says why an index holds nothing. */
import { TEXT_FILES } from '../../core/model/document.ts';
import type { IndexFacts } from '../api.ts';

const KINDS = TEXT_FILES.map((glob) => glob.replace('**/', '')).join(', ');

/** For readers who miss their files. */
export const FILES_READ = `By default ${KINDS} are read; include in docfuse.toml names others.`;

/** One sentence about an index without documents. */
export function emptyIndex({ updated }: Pick<IndexFacts, 'updated'>): string {
  if (updated === undefined) return 'There is no index yet; docfuse index makes it.';
  return `The index holds no documents; b${FILES_READ.slice(1)}`;
}
