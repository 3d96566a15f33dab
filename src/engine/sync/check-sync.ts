/** Checks a call of `sync` before it runs. */
import { DocfuseError } from '../../core/errors.ts';
import type { SyncOptions } from '../api.ts';
import { checkOptions } from '../check-options.ts';
import { oneOf } from '../nearest.ts';

/**
 * Checks the options of a sync, and takes slashes off the ends of folders in `only`.
 * @throws DocfuseError `usage` for wrong options, and for `only` in a rebuild; `not_found` for an id in no collection
 */
export function checkSync(
  options: SyncOptions,
  collections: readonly { readonly name: string }[],
): SyncOptions {
  checkOptions('sync', options);
  if (!options.only) return options;
  if (options.rebuild) {
    const remedy = 'Leave out one of them: a rebuild reads all documents.';
    throw new DocfuseError('usage', 'sync(): only and rebuild exclude each other.', remedy);
  }
  const only = options.only.map((id) => id.replace(/\/+$/, ''));
  const unknown = only.find((id) => !collections.some(({ name }) => `${id}/`.startsWith(`${name}/`)));
  if (unknown === undefined) return { ...options, only };
  const begin = oneOf(collections.map(({ name }) => `${name}/`));
  const message = `sync(): only: “${unknown}” is in no collection.`;
  throw new DocfuseError('not_found', message, `Begin it with the name of its collection: ${begin}.`);
}
