/** Prints skipped files and warnings about files as notes. */
import { plural } from '../terminal.ts';
import type { ViewContext } from './view.ts';

/** Shown files of a kind; further ones are counted. */
const SHOWN = 10;

const REASONS = {
  too_large: 'too large',
  binary: 'binary',
  unreadable: 'unreadable',
  outside_root: 'outside its collection',
  broken_link: 'a link that leads nowhere',
} as const;

interface Files {
  readonly skipped: readonly {
    readonly path: string;
    readonly reason: keyof typeof REASONS;
    readonly detail?: string | undefined;
  }[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** Prints one line a file, for the first ten of each kind. */
export function noteFiles({ skipped, warnings }: Files, { note }: ViewContext): void {
  const left = skipped.map(
    ({ path, reason, detail }) => `${path}: left out, ${REASONS[reason]}${detail ? ` (${detail})` : ''}`,
  );
  const odd = warnings.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  for (const lines of [left, odd]) {
    for (const line of lines.slice(0, SHOWN)) note(line);
    if (lines.length > SHOWN) note(`… and ${plural(lines.length - SHOWN, 'more file')}; --json lists all.`);
  }
}
