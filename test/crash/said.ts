/** What files have ever said, and whether an index that was killed or damaged says anything else. */
import { existsSync, readFileSync } from 'node:fs';
import { DocfuseError } from '../../src/core/errors.ts';
import { open } from '../../src/engine/open.ts';

export type Versions = ReadonlyMap<string, readonly (readonly string[])[]>;

/** All that each file has ever said, as lines. */
export function versionsIn(file: string): Versions {
  const versions = new Map<string, string[][]>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (!line.endsWith(']')) continue; // its writer was killed, and has not written the file
    const [path, text] = JSON.parse(line) as [string, string];
    versions.set(path, [...(versions.get(path) ?? []), text.split('\n')]);
  }
  return versions;
}

/** Asks before anything is brought up to date: each answer is what its file said once, or the whole is refused with a remedy. */
export async function askAtOnce(
  folder: string,
  indexPath: string,
  said: Versions,
  where: string,
): Promise<{ readonly passages: number; readonly refusal?: DocfuseError }> {
  let passages = 0;
  await using index = await open({ roots: [folder], indexPath });
  try {
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
      const { hits } = await index.search('lantern harbour', { mode, topN: 30, minConfidence: 0 });
      passages += hits.length;
      for (const { path, startLine, endLine, text } of hits) {
        const isSaid = (lines: readonly string[]) =>
          lines
            .slice(startLine - 1, endLine)
            .join('\n')
            .includes(text.trim());
        if (!said.get(path)?.some(isSaid))
          throw new Error(`${where}: lines ${startLine}–${endLine} of ${path} never said\n${text}`);
      }
    }
    return { passages };
  } catch (error) {
    if (!(error instanceof DocfuseError)) throw error;
    if (error.remedy === '') throw new Error(`${where}: nobody says what to do about “${error.message}”`);
    return { passages, refusal: error };
  }
}
