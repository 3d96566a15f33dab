/** Finds a document of the index by a name that a user gives. Looks at the disk only if no document has the name. */
import { existsSync } from 'node:fs';
import { basename, extname, isAbsolute, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { documentsNamed } from '../../core/graph/link-resolver.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { oneLine } from '../../core/text/one-line.ts';
import { noIndexOf, OTHER_FOLDERS } from '../check-roots.ts';
import { didYouMean, oneOf, suggest } from '../nearest.ts';
import { holds, isFolder } from '../path-inside.ts';
import { placeInCollections } from '../search/absolute-paths.ts';
import { FILES_READ } from '../search/notice.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import type { NamingOptions } from './documents-api.ts';

export interface FoundDocument {
  readonly document: CatalogDocument;
  /** First line if the name gives lines: `path:12`, `path:12-20`, or the id of a chunk. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Heading of a section, or its anchor, if the name gives one: `path#heading`. */
  readonly anchor?: string;
}

const SUGGESTIONS = 3;

/**
 * @param name document id, path relative to `cwd`, a name by which links find a document (path in a collection, end of a path, file
 *   name, alias, title), or the first 7 to 40 digits of a commit. `:START[-END]` or `#HEADING` may follow. Or the id of a chunk
 * @throws DocfuseError `not_found` with the three nearest names; `usage` if several documents have the name, or it is empty
 */
export async function findDocument(
  workspace: ReadableWorkspace,
  name: string,
  { paths = true }: NamingOptions,
  cwd: string,
): Promise<FoundDocument> {
  const from = paths ? cwd : undefined;
  if (name.trim() === '') {
    throw new DocfuseError(
      'usage',
      'The name of the document is empty.',
      'Name one; docfuse list shows all documents.',
    );
  }
  const whole = byName(workspace, name, from);
  if (whole) return { document: whole };
  const { base = name, start, end, anchor } = PARTS.exec(name)?.groups ?? {};
  const document = base === name ? undefined : byName(workspace, base, from);
  if (document && anchor !== undefined) return { document, anchor };
  if (document) {
    return { document, startLine: Number(start), ...(end !== undefined && { endLine: Number(end) }) };
  }
  const found = await byChunk(workspace, name);
  if (found) return found;
  throw notFound(workspace, base, from);
}

const PARTS = /^(?<base>.+)(?::(?<start>\d{1,9})(?:-(?<end>\d{1,9}))?|#(?<anchor>[^#]+))$/s;

function byName(workspace: ReadableWorkspace, name: string, from?: string): CatalogDocument | undefined {
  const catalog = workspace.catalog();
  const byId = catalog.numberOf(name);
  if (byId !== undefined) return catalog.document(byId);
  const path = name.replace(/^(?:\.?\/)+/, '');
  const withPath = only(workspace, (document) => document.path === path);
  if (withPath) return withPath;
  const onDisk = idOnDisk(workspace, name, from);
  const byPath = onDisk === undefined ? undefined : catalog.numberOf(onDisk);
  if (byPath !== undefined) return catalog.document(byPath);
  const found = byCommit(workspace, path) ?? byShownName(workspace, path, onDisk);
  if (found) return found;
  const [named, ...others] = documentsNamed([...catalog.all()], path);
  if (named && others.length > 0) throw ambiguous(name, [named, ...others]);
  return named;
}

function ambiguous(name: string, found: readonly CatalogDocument[]): DocfuseError {
  const ids = found.map(({ id }) => id).sort((a, b) => a.length - b.length || compareText(a, b));
  const shown = oneOf(ids.slice(0, SUGGESTIONS));
  return new DocfuseError(
    'usage',
    `${found.length} documents are called ${name}.`,
    found.length > SUGGESTIONS ? `Write more of the path, such as ${shown}.` : `Write ${shown}.`,
  );
}

/** Returns the document that passes a test, if exactly one document passes. */
function only(
  { catalog }: ReadableWorkspace,
  test: (document: CatalogDocument) => boolean,
): CatalogDocument | undefined {
  const found = [...catalog().all()].filter(test);
  return found.length === 1 ? found[0] : undefined;
}

/** Finds a commit by the first digits of its hash, with or without its collection. */
function byCommit(workspace: ReadableWorkspace, name: string): CatalogDocument | undefined {
  const [, within, digits] = /^(?:(.+)\/)?([0-9a-f]{7,40})(?:\.md)?$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const histories = new Set(
    workspace.collections.filter(({ kind }) => kind === 'git').map((history) => history.name),
  );
  return only(workspace, ({ collection, path }) => {
    const known = path.replace('.md', '');
    const isMeant = histories.has(collection) && (within ?? collection) === collection;
    return isMeant && (known.startsWith(digits) || digits.startsWith(known));
  });
}

/** Finds a document by its name as terminals and tools show it, for example with escaped line breaks. */
function byShownName(workspace: ReadableWorkspace, ...names: readonly (string | undefined)[]) {
  return only(workspace, ({ id, path }) => [id, path].some((each) => names.includes(oneLine(each))));
}

/** Returns the document id of a path; undefined outside all collections. @param from where relative paths begin */
function idOnDisk(workspace: ReadableWorkspace, path: string, from?: string): string | undefined {
  const place = placeOf(workspace, path, from);
  return place?.includes('/') === false ? `${place}/${basename(path)}` : place;
}

function placeOf({ collections }: ReadableWorkspace, path: string, from?: string): string | undefined {
  if (from === undefined && !isAbsolute(path)) return undefined;
  return placeInCollections(resolve(from ?? '', path), collections);
}

async function byChunk(workspace: ReadableWorkspace, id: string): Promise<FoundDocument | undefined> {
  if (!/^[0-9a-f]{13}$/.test(id)) return undefined;
  const catalog = workspace.catalog();
  for (const document of catalog.all()) {
    const slot = catalog.slotsOf(document.number).find((each) => catalog.idOf(each) === id);
    const [chunk] = slot === undefined ? [] : await workspace.store.chunks([slot]);
    if (chunk) return { document, startLine: chunk.startLine, endLine: chunk.endLine };
  }
  return undefined;
}

function notFound(workspace: ReadableWorkspace, name: string, from?: string): DocfuseError {
  const catalog = workspace.catalog();
  const roots = workspace.collections.map(({ root }) => root);
  if (catalog.documents === 0 && roots.length > 0) {
    if (workspace.facts().updated === undefined) return noIndexOf(roots);
    const message = `There is no document in the index of ${roots.join(', ')}.`;
    return new DocfuseError('not_found', message, `${OTHER_FOLDERS} ${FILES_READ}`);
  }
  const folder = folderCalled(workspace, name, from);
  if (folder) {
    const remedy = `docfuse list ${folder} lists its documents.`;
    return new DocfuseError('not_found', `${name} is a folder, not a document.`, remedy);
  }
  const file = from === undefined ? undefined : fileCalled(roots, name, from);
  if (file !== undefined) {
    const remedy =
      'To add new files, run docfuse index; it leaves out ignored files and kinds of files that are not read.';
    return new DocfuseError('not_found', `${idOnDisk(workspace, file)} is not in the index yet.`, remedy);
  }
  return new DocfuseError(
    'not_found',
    `There is no document ${name} in the index.`,
    didYouMean(suggestions([...catalog.all()], name), 'docfuse list shows all documents.'),
  );
}

/** Returns the absolute path of an existing file below a root. @param name its path, relative to `cwd` or to a root */
function fileCalled(roots: readonly string[], name: string, cwd: string): string | undefined {
  const files = [cwd, ...roots].map((folder) => resolve(folder, name));
  return files.find((file) => roots.some((root) => holds(root, file)) && existsSync(file) && !isFolder(file));
}

/** If documents are in a folder of this name, returns the arguments of `docfuse list` for it: a path from `from`, or `--path`. */
function folderCalled(workspace: ReadableWorkspace, name: string, from?: string) {
  const ids = [...workspace.catalog().all()].map(({ id }) => id);
  const typed = (path: string) => (/^[\w./-]+$/.test(path) ? path : `"${path}"`);
  const place = placeOf(workspace, name, from);
  if (ids.some((id) => id.startsWith(`${place}/`))) return typed(name);
  const folder = name.replaceAll(/^(?:\.?\/)+|\/+$/g, '');
  const inside = folder && ids.find((id) => `/${id}`.includes(`/${folder}/`));
  return inside && `--path ${typed(inside.slice(0, `/${inside}`.indexOf(`/${folder}/`) + folder.length))}`;
}

/** Suggests documents by file name or title: the folders of the name may be wrong. */
function suggestions(documents: readonly CatalogDocument[], name: string): readonly string[] {
  const named = documents
    .toSorted((a, b) => a.id.length - b.id.length || compareText(a.id, b.id))
    .flatMap(({ id, path, title }) => [stemOf(path), title].map((each) => ({ each, id })));
  const all = named.map(({ each }) => each);
  // `a.b.c` may be a name without an extension: the end of the name counts as one only if a document has it.
  const isExtension = documents.some(({ path }) => extname(path) === extname(name));
  const whole = isExtension ? [] : suggest(basename(name), all, SUGGESTIONS);
  const names = whole.length > 0 ? whole : suggest(stemOf(name), all, SUGGESTIONS);
  const ids = names.flatMap((near) => named.filter(({ each }) => each === near).map(({ id }) => id));
  return [...new Set(ids)].slice(0, SUGGESTIONS);
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}
