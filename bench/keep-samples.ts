/** Keeps what was observed between runs: asking takes minutes, fitting seconds. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/**
 * What the file holds, where it was observed under the same conditions; else what `observe` gives, which is then kept.
 * @param file JSON; nothing is kept without
 * @param under all that what is observed depends on, as JSON has it
 */
export async function keepSamples<Samples>(
  file: string | undefined,
  under: object,
  observe: () => Promise<Samples>,
): Promise<Samples> {
  if (file === undefined) return observe();
  const known = await readFile(file, 'utf8').catch(() => undefined);
  const kept = known === undefined ? undefined : JSON.parse(known);
  if (kept !== undefined && isDeepStrictEqual(kept.under, under)) return kept.samples;
  if (kept !== undefined) console.error(`${file} was observed under other conditions: asked anew`);
  const samples = await observe();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ under, samples }));
  return samples;
}

/** SHA-256, in hexadecimal digits, of the files in a folder and their paths, `except` left out. */
export async function digestFolder(folder: string, except: readonly string[] = []): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  for (const file of files.filter((each) => !except.includes(each)).sort()) {
    hash.update(`${file.slice(folder.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}
