/** Reads the Markdown of a vault to make questions from. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parseDocument } from '../src/core/markdown/parse-document.ts';
import type { ParsedDocument } from '../src/core/model/document.ts';

/** @param choose which documents to read and in which order, of all paths in theirs. @default all */
export async function readVault(
  root: string,
  choose = (paths: readonly string[]) => paths,
): Promise<readonly ParsedDocument[]> {
  const paths = (await readdir(root, { recursive: true })).map((path) => path.split(sep).join('/'));
  const chosen = choose(paths.filter((path) => path.endsWith('.md')).sort());
  return Promise.all(
    chosen.map(async (path) => parseDocument(path, await readFile(join(root, path), 'utf8'))),
  );
}
