/** Advice to run `docfuse index` names the folders that were typed: without them it would be about the working directory. */
import { DocfuseError } from '../../core/errors.ts';

/** Leaves "…, not a docfuse index" alone, which is no advice. */
const COMMAND = /(?<!a )docfuse index\b/g;

/** @param paths as typed */
export function adviceFor(text: string, paths: readonly string[]): string {
  const folders = paths.map((path) => (/^[\w./~@:+-]+$/.test(path) ? path : `"${path}"`));
  return text.replaceAll(COMMAND, () => ['docfuse index', ...folders].join(' '));
}

/** The same error, whose remedy names the folders. */
export function withFolders(error: unknown, paths: readonly string[]): unknown {
  if (!(error instanceof DocfuseError) || paths.length === 0) return error;
  const remedy = adviceFor(error.remedy, paths);
  return remedy === error.remedy
    ? error
    : new DocfuseError(error.code, error.message, remedy, { cause: error });
}
