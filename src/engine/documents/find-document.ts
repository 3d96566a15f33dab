/** Finds a document of the index by a name that a user gives, without reading the disk. */
import { basename, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { oneLine } from '../../core/text/one-line.ts';
import { nearest } from '../nearest.ts';
import { placeInCollections } from '../search/absolute-paths.ts';
import { FILES_READ } from '../search/notice.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';

export interface FoundDocument {
  readonly document: CatalogDocument;
  /** First line if the name gives lines: `path:12`, `path:12-20`, or the id of a chunk. */
  readonly startLine?: number;
  readonly endLine?: number;
}

const SUGGESTIONS = 3;
/** Min characters of a part of a file name for suggestions: shorter parts are in too many names. */
const MIN_PART = 3;

/**
 * @param name document id, path relative to a collection or to `cwd`, unique file name, or commit hash or its first 7 digits,
 *   each with or without `:START[-END]`; or a chunk id
 * @throws DocfuseError `not_found` with the three nearest names; `usage` for a path that is in several collections
 */
export async function findDocument(
  workspace: ReadableWorkspace,
  name: string,
  cwd: string,
): Promise<FoundDocument> {
  const whole = byName(workspace, name, cwd);
  if (whole) return { document: whole };
  const [, base, start, end] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(name) ?? [];
  const document = base === undefined ? undefined : byName(workspace, base, cwd);
  if (document) {
    return { document, startLine: Number(start), ...(end !== undefined && { endLine: Number(end) }) };
  }
  const found = await byChunk(workspace, name);
  if (found) return found;
  throw notFound(workspace, base ?? name);
}

function byName(workspace: ReadableWorkspace, name: string, cwd: string): CatalogDocument | undefined {
  const catalog = workspace.catalog();
  const byId = catalog.numberOf(name);
  if (byId !== undefined) return catalog.document(byId);
  const path = name.replace(/^\.\//, '');
  const withPath = [...catalog.all()].filter((document) => document.path === path);
  if (withPath.length === 1) return withPath[0];
  const onDisk = idOnDisk(workspace, resolve(cwd, name));
  const byPath = onDisk === undefined ? undefined : catalog.numberOf(onDisk);
  if (byPath !== undefined) return catalog.document(byPath);
  if (withPath.length === 0)
    return (
      byCommit(workspace, path) ??
      byShownName(workspace, path, onDisk) ??
      only(workspace, (document) => fileOf(document) === name)
    );
  const ids = withPath.map(({ id }) => id).sort();
  throw new DocfuseError('usage', `More than one document is called ${name}.`, `Write ${ids.join(' or ')}.`);
}

/** Returns the document that passes a test, if only one does. */
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

/** Finds a document by the name that terminals and tools show, in which line breaks, for example, are escaped. */
function byShownName(workspace: ReadableWorkspace, ...names: readonly (string | undefined)[]) {
  return only(workspace, ({ id, path }) => [id, path].some((each) => names.includes(oneLine(each))));
}

/** Returns the document id of an absolute path; undefined outside all collections. */
function idOnDisk({ collections }: ReadableWorkspace, file: string): string | undefined {
  const place = placeInCollections(file, collections);
  return place?.includes('/') === false ? `${place}/${basename(file)}` : place;
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

function notFound(workspace: ReadableWorkspace, name: string): DocfuseError {
  const catalog = workspace.catalog();
  if (catalog.documents === 0) {
    const isMade = workspace.facts().updated !== undefined;
    const roots = workspace.collections.map(({ root }) => root).join(', ');
    const remedy = 'If other folders were searched, name them after the document.';
    return new DocfuseError(
      'not_found',
      `There is no ${isMade ? 'document in the index' : 'index'} of ${roots}.`,
      isMade ? `${remedy} ${FILES_READ}` : `${remedy} To index these folders, run docfuse index.`,
    );
  }
  const suggested = suggestions([...catalog.all()], name);
  return new DocfuseError(
    'not_found',
    `There is no document ${name} in the index.`,
    suggested.length > 0
      ? `Did you mean ${suggested.join(' or ')}?`
      : 'List the documents to see which there are.',
  );
}

/** Suggests documents whose file name contains the last part of the name; if there are none, those with the nearest names. */
function suggestions(documents: readonly CatalogDocument[], name: string): readonly string[] {
  const typed = stemOf(name.slice(name.lastIndexOf('/') + 1)).toLowerCase();
  const stems = documents.map((document) => ({
    id: document.id,
    stem: stemOf(fileOf(document)).toLowerCase(),
  }));
  const named = stems
    .filter(({ stem }) => stem === typed || (typed.length >= MIN_PART && stem.includes(typed)))
    .sort((a, b) => a.stem.length - b.stem.length || compareText(a.id, b.id))
    .map(({ id }) => id);
  if (named.length > 0) return named.slice(0, SUGGESTIONS);
  const ids = new Map(documents.flatMap((document) => namesOf(document).map((each) => [each, document.id])));
  // More than needed, because several names may belong to one document.
  const names = nearest(name, ids.keys(), 5 * SUGGESTIONS).map((each) => ids.get(each)!);
  return [...new Set(names)].slice(0, SUGGESTIONS);
}

function namesOf(document: CatalogDocument): string[] {
  const file = fileOf(document);
  return [document.id, document.path, file, stemOf(file), document.title];
}

function fileOf({ path }: CatalogDocument): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function stemOf(file: string): string {
  return file.replace(/\.[^.]+$/, '');
}
