/** Decides whether a folder holds the output of a build. */

/** Names of build folders. The name alone is not enough: one of the listed files must lie beside the folder. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  // The folder `logseq` holds settings, and backups of pages.
  logseq: ['pages', 'journals'],
  build: ['build.gradle', 'build.gradle.kts', 'CMakeLists.txt', 'setup.py'],
};

/** Name of the file that marks a cache folder; see bford.info/cachedir. */
const CACHE_TAG = 'CACHEDIR.TAG';

/** @param beside all names in the parent folder */
export function isBuildFolder(name: string, beside: ReadonlySet<string>): boolean {
  return Object.hasOwn(MADE_BY, name) && MADE_BY[name]!.some((maker) => beside.has(maker));
}

/** @param names all names in the folder */
export function isCacheFolder(names: ReadonlySet<string>): boolean {
  return names.has(CACHE_TAG);
}

/** Whether a file with this name can make a folder a build folder or a cache folder. */
export function marksBuild(name: string): boolean {
  return name === CACHE_TAG || Object.values(MADE_BY).some((makers) => makers.includes(name));
}
