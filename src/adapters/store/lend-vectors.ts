/** Takes vectors from an index that another process may be using, and leaves no trace in it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { placeWithoutTrace } from './folder-place.ts';
import { checkFormat } from './format.ts';
import { INDEX_FILE } from './index-files.ts';
import { type KeptIndex, keptIndexes } from './kept-indexes.ts';
import { vectorTables } from './vector-tables.ts';

/** Returns a function for each index in the subfolders of `parent` that `isWanted`. It gives the vectors of some keys. */
export function lendersIn(parent: string, isWanted: (index: KeptIndex) => boolean) {
  const wanted = keptIndexes(parent).filter(isWanted);
  return wanted.map(
    ({ folder }) =>
      (model: string, keys: Iterable<string>) =>
        lendVectors(folder, model, keys),
  );
}

/**
 * Returns the vectors that the index has for some keys.
 * @throws DocfuseError, RangeError or an error of SQLite if the index is locked, damaged or of another version
 */
function lendVectors(
  folder: string,
  model: string,
  keys: Iterable<string>,
): ReadonlyMap<string, Float32Array> {
  const file = join(folder, INDEX_FILE);
  using database = new DatabaseSync(placeWithoutTrace(file), { readOnly: true, timeout: 0 });
  if (checkFormat(database, file) !== 'present') throw new RangeError(`${file} has an older format`);
  const { slotsOfVectorKeys, vector } = vectorTables(database);
  const vectors = new Map<string, Float32Array>();
  for (const key of keys) {
    const [slot] = slotsOfVectorKeys([key]);
    const found = slot === undefined ? undefined : vector(model, slot);
    if (found) vectors.set(key, found);
  }
  return vectors;
}
