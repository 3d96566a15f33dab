/** Chooses the collections to search: folders that the call names, else configured collections, else the working directory. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DocfuseError } from '../../core/errors.ts';
import { READ_FILES } from '../../core/model/formats.ts';
import type { LanguageCode } from '../../core/text/languages.ts';
import type { OpenOptions } from '../api.ts';
import { holds } from '../path-inside.ts';
import type { ReadConfig } from './config-file.ts';
import { resolveInstalled, resolveRoot } from './resolve-root.ts';

export interface Collection {
  readonly name: string;
  /** Absolute path of a folder, a file, an archive, a judged corpus, or a repository whose commits are read. */
  readonly root: string;
  readonly kind: 'folder' | 'corpus' | 'git';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly language: LanguageCode;
  /** Present if the user lists the folder as trusted. */
  readonly trusted?: true;
}

/** @throws DocfuseError `config` if two collections have the same name, a folder is missing, or a `git` collection has globs */
export function chooseCollections(
  { roots = [], corpora = [] }: OpenOptions,
  config: ReadConfig | undefined,
  cwd: string,
): readonly Collection[] {
  const named = roots.length > 0 || corpora.length > 0;
  const configured = config ? readCollections(config, !named) : [];
  const asked = [
    ...roots.flatMap((path) => resolveRoot(path, cwd)).flatMap((root) => foldersAt(root, configured)),
    ...corpora.map((root) => ({ ...folder(resolve(cwd, root)), kind: 'corpus' as const })),
  ];
  const collections = asked.length > 0 ? asked : configured.length > 0 ? configured : [folder(resolve(cwd))];
  return withUniqueNames(withoutNested(collections));
}

function foldersAt(root: string, configured: readonly Collection[]): readonly Collection[] {
  const known = configured.filter((each) => each.kind === 'folder' && each.root === root);
  return known.length > 0 ? known : [folder(root)];
}

/** @param needed whether a missing folder is an error */
function readCollections({ file, whole, lineOf }: ReadConfig, needed: boolean): readonly Collection[] {
  const names = whole.collections.map(({ name }) => name);
  return whole.collections.flatMap(({ name, path, ...rules }, index) => {
    const { kind, include, exclude } = rules;
    if (name !== undefined && names.indexOf(name) !== index) {
      const line = lineOf(['collections', index, 'name']);
      throw new DocfuseError(
        'config',
        `${file}:${line} names two collections "${name}".`,
        'Give each a different name.',
      );
    }
    if (kind === 'git' && (exclude.length > 0 || include.join() !== READ_FILES.join())) {
      throw new DocfuseError(
        'config',
        `${file}:${lineOf(['collections', index, 'kind'])}: a collection of commits cannot have include or exclude.`,
        'Remove them. To read only commits that change a folder of the repository, set path to that folder.',
      );
    }
    const place = `${file}:${lineOf(['collections', index, 'path'])}`;
    const resolveAll = needed ? requireInstalled : resolveInstalled;
    return resolveAll(path, dirname(file), place).map((root) => {
      if (needed && !existsSync(root))
        throw new DocfuseError(
          'config',
          `${place}: the folder of the collection ${name ?? basename(root)} does not exist: ${root}.`,
          'Correct its path, which is relative to the configuration file.',
        );
      return { name: name ?? defaultName(root) + (kind === 'git' ? '-commits' : ''), root, ...rules };
    });
  });
}

/** @param place file and line of `path`; messages begin with it. @throws DocfuseError `config` for every error of `resolveRoot` */
function requireInstalled(path: string, from: string, place: string): readonly string[] {
  try {
    return resolveRoot(path, from);
  } catch (error) {
    if (!(error instanceof DocfuseError)) throw error;
    throw new DocfuseError('config', `${place}: ${error.message}`, error.remedy, { cause: error });
  }
}

function folder(root: string): Collection {
  const rules = { kind: 'folder', include: READ_FILES, exclude: [], language: 'auto' } as const;
  return { name: defaultName(root), root, ...rules };
}

/** Returns the name of the folder or file; `requests-2.31.0` for the long description of a Python package. */
function defaultName(root: string): string {
  const [, release] = /([^\\/]+)\.dist-info[\\/]METADATA$/.exec(root) ?? [];
  return release ?? (basename(root) || 'root');
}

/** Sorts collections by path. Leaves out a folder if another folder with equal options contains it. */
function withoutNested(collections: readonly Collection[]): Collection[] {
  const sorted = collections.toSorted((a, b) => (a.root < b.root ? -1 : 1));
  return sorted.filter((inner, index) => !sorted.slice(0, index).some((outer) => covers(outer, inner)));
}

/** Whether `outer` makes `inner` superfluous: it contains `inner`, and both have their default names and equal options. */
function covers(outer: Collection, inner: Collection): boolean {
  return (
    outer.kind !== 'git' &&
    inner.kind === outer.kind &&
    outer.name === defaultName(outer.root) &&
    inner.name === defaultName(inner.root) &&
    isDeepStrictEqual(choiceOf(inner), choiceOf(outer)) &&
    holds(outer.root, inner.root)
  );
}

function choiceOf({ include, exclude, language }: Collection): readonly unknown[] {
  return [include, exclude, language];
}

/** Makes collection names unique, because document ids contain them: a second `notes` becomes `notes-2`. */
function withUniqueNames(collections: readonly Collection[]): Collection[] {
  const used = new Set<string>();
  return collections.map((collection) => {
    let name = collection.name;
    for (let n = 2; used.has(name); n++) name = `${collection.name}-${n}`;
    used.add(name);
    return { ...collection, name };
  });
}
