/** Completes advice to run `docfuse index` with the typed folders: without folders, the command indexes the working directory. */
import { DocfuseError } from '../../core/errors.ts';

/** Matches the command `docfuse index`, but not the same words in “not a docfuse index”. */
const COMMAND = /(?<!a )docfuse index\b/g;

/** Adds the folders to each `docfuse index` in a text. @param paths as typed */
export function adviceFor(text: string, paths: readonly string[]): string {
  const folders = paths.map((path) => (/^[\w./~@:+-]+$/.test(path) ? path : `"${path}"`));
  return text.replaceAll(COMMAND, () => ['docfuse index', ...folders].join(' '));
}

/** Adds the folders to the remedy of an error. */
export function withFolders(error: unknown, paths: readonly string[]): unknown {
  if (!(error instanceof DocfuseError) || paths.length === 0) return error;
  const remedy = adviceFor(error.remedy, paths);
  return remedy === error.remedy
    ? error
    : new DocfuseError(error.code, error.message, remedy, { cause: error });
}
