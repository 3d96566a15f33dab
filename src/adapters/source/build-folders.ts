/** Tells the output of a build from a folder with the same name. */

/** The files that, beside a folder of this name, show that a tool writes into it. The name alone proves nothing. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  build: ['build.gradle', 'build.gradle.kts', 'CMakeLists.txt', 'setup.py'],
};

/** Marks a folder whose content can be made again; see bford.info/cachedir. */
const CACHE_TAG = 'CACHEDIR.TAG';

/** @param beside names of everything in its parent folder */
export function isBuildFolder(name: string, beside: ReadonlySet<string>): boolean {
  return Object.hasOwn(MADE_BY, name) && MADE_BY[name]!.some((maker) => beside.has(maker));
}

/** @param names what the folder holds */
export function isCacheFolder(names: ReadonlySet<string>): boolean {
  return names.has(CACHE_TAG);
}

/** Whether a file of this name decides what is a build folder. */
export function marksBuild(name: string): boolean {
  return name === CACHE_TAG || Object.values(MADE_BY).some((makers) => makers.includes(name));
}
