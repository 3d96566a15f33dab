/** The record of a fetched site: a hidden file in its folder, which says where each page came from. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';

const pageSchema = z.object({
  /** Relative to the folder of the site, with `/`. */
  file: z.string(),
  /** Values of the headers `ETag` and `Last-Modified`. */
  etag: z.string().optional(),
  modified: z.string().optional(),
  /** When the site last sent or confirmed the page, in milliseconds since 1970. */
  checked: z.number(),
});

const manifestSchema = z.object({
  /** Address that the user added. */
  url: z.string(),
  maxPages: z.int(),
  /** End of the last run that read all pages, in milliseconds since 1970. Absent if no run has read all pages yet. */
  updated: z.number().optional(),
  /** Start of the interrupted run, in milliseconds since 1970. Absent if the last run read all pages. */
  began: z.number().optional(),
  /** Pages by address. */
  pages: z.record(z.string(), pageSchema),
});

export type Page = Readonly<z.output<typeof pageSchema>>;
export type Manifest = Readonly<z.output<typeof manifestSchema>>;

const MANIFEST = '.docfuse-site.json';

/** Returns undefined if the folder is not that of a site. A damaged record counts as missing: all pages are then fetched again. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await replaceText(join(folder, MANIFEST), JSON.stringify(manifest, undefined, 1));
}

/** Replaces a file in one step and makes its folders. The unfinished file is hidden, so that it is not indexed. */
export async function replaceText(file: string, text: string): Promise<void> {
  const unfinished = join(dirname(file), `.${basename(file)}.part`);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}
