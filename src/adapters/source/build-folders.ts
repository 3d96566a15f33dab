/** Decides whether a folder holds the output of a build. */

/** By name of a folder: files whose presence beside it shows that a build tool writes into it. The name alone is not enough. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  build: ['build.gradle', 'build.gradle.kts', 'CMakeLists.txt', 'setup.py'],
};

/** Name of the file that marks a cache folder; see bford.info/cachedir. */
const CACHE_TAG = 'CACHEDIR.TAG';

/** @param beside names of everything in the parent folder */
export function isBuildFolder(name: string, beside: ReadonlySet<string>): boolean {
  return Object.hasOwn(MADE_BY, name) && MADE_BY[name]!.some((maker) => beside.has(maker));
}

/** @param names of everything in the folder */
export function isCacheFolder(names: ReadonlySet<string>): boolean {
  return names.has(CACHE_TAG);
}

/** Whether files with this name decide which folders are build folders. */
export function marksBuild(name: string): boolean {
  return name === CACHE_TAG || Object.values(MADE_BY).some((makers) => makers.includes(name));
}
