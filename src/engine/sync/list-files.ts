/** Lists the files of all collections of an index, or of a part of them. */
import { DocfuseError } from '../../core/errors.ts';
import type { PathScope } from '../../core/model/document.ts';
import type { ListedFolder, SkippedFile, Source, SourceFile } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/paths.ts';
import type { WatchPass } from '../watch/watch.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

export interface FoundFile {
  /** `<collection>/<path>`. */
  readonly id: string;
  readonly collection: string;
  readonly file: SourceFile;
  readonly source: Source;
}

interface ListFilesOptions {
  /** Ids of documents and folders to list; if undefined, everything is listed. */
  readonly only: readonly string[] | undefined;
  /** Names of the collections that have documents in the index. */
  readonly held: ReadonlySet<string>;
  readonly pass: WatchPass | undefined;
  readonly signal: AbortSignal | undefined;
}

export type FoundFiles = Awaited<ReturnType<typeof listFiles>>;

/**
 * @returns `away`: collections whose root is missing or unreadable; also those with documents in the index whose root is empty
 * @throws DocfuseError `not_found` if no root can be listed
 */
export async function listFiles(
  collections: readonly OpenCollection[],
  { only, held, pass, signal }: ListFilesOptions,
) {
  const files = new Map<string, FoundFile>();
  const skipped: SkippedFile[] = [];
  const away: { collection: string; error: DocfuseError }[] = [];
  for (const collection of collections) {
    const { name, source } = collection;
    const within = only && scopeIn(name, only);
    if (within === 'nothing') continue;
    const onSkip = (file: SkippedFile) => skipped.push({ ...file, path: `${name}/${file.path}` });
    const options = {
      mustHold: held.has(name),
      ...(within && { within }),
      ...(pass && { onFolder: (folder: ListedFolder) => pass.onFolder(collection, folder) }),
    };
    try {
      for await (const file of source.list(onSkip, signal, options)) {
        const id = `${name}/${file.path}`;
        files.set(id, { id, collection: name, file, source });
      }
    } catch (error) {
      if (!(error instanceof DocfuseError) || error.code !== 'not_found') throw error;
      away.push({ collection: name, error });
      pass?.onAway(name, error.message);
    }
  }
  if (away.length > 0 && away.length === collections.length) throw away[0]!.error;
  return { files, skipped, away };
}

/** Returns the part of `only` inside one collection, as paths relative to the collection. */
function scopeIn(name: string, only: readonly string[]): PathScope | 'nothing' {
  const paths = only
    .filter((id) => id === name || id.startsWith(`${name}/`))
    .map((id) => id.slice(name.length + 1));
  return paths.length === 0 ? 'nothing' : createPathScope(paths);
}
