/** The files that belong to the project: what a commit would hold, found without git. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verdict } from '../../src/adapters/source/ignore-files.ts';
import { ignoreRules } from '../../src/adapters/source/ignore-rules.ts';
import type { SourceFile } from './parse-source.ts';

/** The repository's root. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Paths from the root, with `/`, in order; what `.gitignore` names is left out. */
export function projectPaths(): readonly string[] {
  const rules = ignoreRules(`.git\n${readFileSync(join(ROOT, '.gitignore'), 'utf8')}`);
  const visit = (folder: string): readonly string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (verdict([{ folder: '', rules }], path, entry.isDirectory()) === 'ignored') return [];
      return entry.isDirectory() ? visit(`${path}/`) : [path];
    });
  return visit('').toSorted();
}

/** The project's TypeScript sources, fixtures left out. */
export function projectSources(): readonly SourceFile[] {
  return projectPaths()
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/fixtures/'))
    .map((path) => ({ path, source: readProjectFile(path) }));
}

/** Text of one file of the project. */
export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Bytes of one file of the project. */
export function projectFileSize(path: string): number {
  return statSync(join(ROOT, path)).size;
}
