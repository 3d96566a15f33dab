/** Resolves a root: a path, the documentation of an installed package, such as `npm:hono`, or the address of an added web site. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { foldersUp } from '../path-inside.ts';
import { schemeOf } from './published-address.ts';
import { findPythonPackage } from './python-packages.ts';
import { findSite, isSiteAddress } from './site-place.ts';

/** Functions that find a package by prefix. `from` is absolute; they return at least one absolute path. */
const PACKAGES: Readonly<Record<string, (name: string, from: string) => readonly string[]>> = {
  'npm:': findNpmPackage,
  'pypi:': findPythonPackage,
};

/**
 * Returns the absolute paths of a root. A file or folder that exists wins: `npm:x` may be the name of a folder.
 * @param from folder that relative paths refer to
 * @throws DocfuseError `not_found` for a package that is not installed or a site that was not added, `usage` for an empty
 *   text and for an impossible name or address
 */
export function resolveRoot(asked: string, from: string): readonly string[] {
  if (asked === '')
    throw new DocfuseError('usage', 'The path of a folder is empty.', 'Name a folder; . is the current one.');
  const path = resolve(from, asked);
  if (existsSync(path)) return [path];
  if (isSiteAddress(asked)) return [findSite(asked)];
  const prefix = Object.keys(PACKAGES).find((each) => asked.startsWith(each));
  if (prefix !== undefined) return PACKAGES[prefix]!(asked.slice(prefix.length), resolve(from));
  const scheme = schemeOf(asked);
  if (scheme === undefined) return [path];
  // The address is not repeated, because it may hold a password.
  throw new DocfuseError(
    'usage',
    `No folder has an address with ${scheme}://.`,
    'Name a folder, or an index on a server with --index.',
  );
}

/** Like `resolveRoot`, but returns no path for a package that is not installed or a site that was not added. */
export function resolveInstalled(asked: string, from: string): readonly string[] {
  try {
    return resolveRoot(asked, from);
  } catch (error) {
    if (error instanceof DocfuseError) return [];
    throw error;
  }
}

/** Does not match `..`, which would lead out of `node_modules`. */
const NPM_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;

/** Looks where Node looks for a package: in `node_modules` of the folder and of each folder above it. */
function findNpmPackage(name: string, from: string): readonly string[] {
  if (!NPM_NAME.test(name))
    throw new DocfuseError(
      'usage',
      `"${name}" is not the name of an npm package.`,
      'Write npm:NAME or npm:@SCOPE/NAME, without a version.',
    );
  const found = foldersUp(from)
    .map((folder) => join(folder, 'node_modules', name))
    .find(existsSync);
  if (found !== undefined) return [found];
  throw new DocfuseError(
    'not_found',
    `The npm package ${name} is not in node_modules of ${from} or of a folder above it.`,
    `Install it there: npm install ${name}.`,
  );
}
