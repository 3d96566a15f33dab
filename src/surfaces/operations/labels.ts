/** What people read in place of codes. Free of zod and the engine, so the page can use it. */
import type { SkipReason } from '../../core/model/formats.ts';
import type { OperationProgress } from './operation.ts';

export const PHASES: Readonly<Record<OperationProgress['phase'], string>> = {
  copy: 'Copying vectors',
  read: 'Reading files',
  embed: 'Embedding passages',
  publish: 'Publishing',
  query: 'Searching',
  fit: 'Trying weights',
  pull: 'Pulling',
  fetch: 'Fetching pages',
  map: 'Placing documents on the map',
  words: 'Writing words',
  texts: 'Writing passages',
};

export const LEFT_OUT: Readonly<Record<SkipReason, string>> = {
  too_large: 'too large',
  binary: 'not text',
  unreadable: 'cannot be read',
  outside_root: 'outside its collection',
  broken_link: 'a link that leads nowhere',
  needs_package: 'needs a package',
  not_converted: 'cannot be converted',
};
