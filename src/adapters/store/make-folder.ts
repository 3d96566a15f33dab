/** Makes a folder for its owner's eyes alone. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Step by step, for Node's own recursion never ends where nothing can be made, as in `/proc` (Node 24). */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) makeOne(each);
}

/** Another process may be quicker. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
