/** Finds the documentation of an installed Python package: its long description, and the folders with documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { formatOf } from '../../core/model/formats.ts';
import { foldersUp, realPath } from '../path-inside.ts';

/**
 * Looks in these environments, in this order: `VIRTUAL_ENV`; `.venv` and `venv` of `from` and of the folders above it; those of the
 * `python3` programs on PATH (for pyenv, the versions in use); pyenv's other versions; those of the user and of the system. Runs no
 * program.
 * @param name compared as PEP 503 says: `Foo_Bar` and `foo-bar` are one package
 * @returns the file METADATA, which holds the long description; then the package's folders that contain documents
 */
export function findPythonPackage(name: string, from: string): readonly string[] {
  if (!/^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i.test(name))
    throw new DocfuseError(
      'usage',
      `"${name}" is not the name of a Python package.`,
      'Write pypi:NAME, without a version.',
    );
  const folders = [...new Set(environments(from).flatMap(sitePackages).map(realPath))];
  for (const folder of folders) {
    const info = namesIn(folder).find((each) => nameOf(each) === normalized(name));
    const metadata = info && join(folder, info, 'METADATA');
    if (metadata && existsSync(metadata))
      return [metadata, ...foldersWithDocuments(folder, join(folder, info, 'RECORD'))];
  }
  const places = folders.length > 0 ? folders.join(', ') : 'any site-packages folder';
  throw new DocfuseError(
    'not_found',
    `The Python package ${name} is not in ${places}.`,
    `Install it: python3 -m pip install ${name}. If it is in another environment, set VIRTUAL_ENV to the folder of that environment.`,
  );
}

/** Returns folders that may hold a Python environment, the most specific first. */
function environments(from: string): readonly string[] {
  const holdsPython = (folder: string) =>
    ['python3', 'python.exe'].some((each) => existsSync(join(folder, each)));
  const programs = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute).filter(holdsPython);
  return [
    ...[process.env.VIRTUAL_ENV ?? ''].filter(isAbsolute),
    ...foldersUp(from).flatMap((folder) => [join(folder, '.venv'), join(folder, 'venv')]),
    // On Windows, python.exe lies in the folder itself.
    ...programs.flatMap((folder) => [...pyenvInUse(dirname(folder), from), dirname(folder), folder]),
    ...programs.flatMap((folder) => pyenvVersions(dirname(folder))),
    ...[join(homedir(), '.local'), '/usr/local', '/usr'],
  ];
}

/**
 * Returns the folders of the Python versions that pyenv would run. The programs of pyenv on PATH are scripts that choose a version:
 * PYENV_VERSION names it, else the nearest `.python-version`, else the file `version` of pyenv. `3.12` means the newest 3.12.
 */
function pyenvInUse(root: string, from: string): readonly string[] {
  const installed = pyenvVersions(root);
  if (installed.length === 0) return [];
  const files = [...foldersUp(from).map((folder) => join(folder, '.python-version')), join(root, 'version')];
  const named =
    (process.env.PYENV_VERSION || undefined)?.split(':') ??
    files.map(wordsIn).find((words) => words.length > 0) ??
    [];
  const system = named.indexOf('system'); // means the next python3 on PATH
  return named
    .slice(0, system < 0 ? undefined : system)
    .map((name) => name.replace(/^python-/, ''))
    .flatMap((name) => installed.find((each) => `${basename(each)}.`.startsWith(`${name}.`)) ?? []);
}

function wordsIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').replace(/#.*/g, '').match(/\S+/g) ?? [];
  } catch {
    return [];
  }
}

function pyenvVersions(root: string): readonly string[] {
  return namesIn(join(root, 'versions')).map((version) => join(root, 'versions', version));
}

function sitePackages(environment: string): readonly string[] {
  const libraries = namesIn(join(environment, 'lib')).filter((name) => /^python3/.test(name));
  const folders = libraries.flatMap((name) =>
    ['site-packages', 'dist-packages'].map((each) => join(environment, 'lib', name, each)),
  );
  return [...folders, join(environment, 'Lib', 'site-packages')].filter(existsSync);
}

/** Returns the normalised name of the package to which a folder such as `Foo_Bar-1.0.dist-info` belongs. */
function nameOf(info: string): string | undefined {
  const [, name] = /^(.+)-[^-]+\.dist-info$/.exec(info) ?? [];
  return name && normalized(name);
}

function normalized(name: string): string {
  return name.replaceAll(/[-_.]+/g, '-').toLowerCase();
}

/**
 * Reads the list of installed files. For each top folder with a document, returns the deepest folder that contains all listed files
 * of this top folder: `google/cloud/a` for `google/cloud/a/x.py` and `google/cloud/a/b.md`. `google` may hold other packages.
 */
function foldersWithDocuments(folder: string, record: string): readonly string[] {
  const paths = (existsSync(record) ? readFileSync(record, 'utf8') : '')
    .split(/\r?\n/)
    .map((line) => line.split(',', 1)[0]!.split('/'))
    // The list also names programs, by paths that lead out of the folder.
    .filter((names) => names.length > 1 && !names.includes('..'))
    .filter(([first = '']) => !first.endsWith('.dist-info'));
  const packages = [...Map.groupBy(paths, ([first]) => first).values()];
  return packages
    .filter((inside) => inside.some((names) => formatOf(names.at(-1)!)))
    .map((inside) =>
      join(folder, ...inside.map((names): readonly string[] => names.slice(0, -1)).reduce(commonStart)),
    )
    .filter(existsSync);
}

function commonStart(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((name, at) => name !== b[at]);
  return end < 0 ? a : a.slice(0, end);
}

/** Returns the names in a folder, the highest version first; none if the folder cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    const byNumbers = new Intl.Collator('en', { numeric: true });
    return readdirSync(folder).sort((a, b) => byNumbers.compare(b, a));
  } catch {
    return [];
  }
}
