/** A folder of notes and an index of it, in a temporary place, for tests of the engine. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Index, OpenOptions } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface Vault {
  readonly folder: string;
  readonly indexPath: string;
  write(path: string, text: string): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  /** Opens the index; closed when the test ends. Options that name no model mean the one of the vault. */
  open(options?: OpenOptions): Promise<Index>;
}

/** @param model where meaning counts, the packaged one, by `PACKAGED_MODEL` */
export function createVault(files: Readonly<Record<string, string>>, model = SMALL_MODEL): Vault {
  const work = temporaryFolder();
  const folder = join(work, 'notes');
  const indexPath = join(work, 'index');
  let clock = Date.now() / 1000 - 1000;
  mkdirSync(folder);

  function write(path: string, text: string): void {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    // Two writes within the file system's grain would look like one.
    clock += 1;
    utimesSync(file, clock, clock);
  }

  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    folder,
    indexPath,
    write,
    remove: (path) => rmSync(join(folder, path)),
    rename: (from, to) => renameSync(join(folder, from), join(folder, to)),
    async open(options = {}) {
      const settings = { ...options.settings, embedding: { model, ...options.settings?.embedding } };
      const index = await open({ roots: [folder], indexPath, ...options, settings });
      onTestFinished(() => index.close());
      return index;
    },
  };
}
