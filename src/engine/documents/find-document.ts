/** Finds the document that a name means, among those of the index; nothing is looked up on disk. */
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
  /** The lines that the name asks for, if it does: `path:12`, `path:12-20`, or those of a chunk. */
  readonly startLine?: number;
  readonly endLine?: number;
}

const SUGGESTIONS = 3;
/** Shorter words are in too many file names. */
const MIN_PART = 3;

/**
 * @param name document id, path inside a collection or from `cwd`, file name that is unique, hash of a commit or its first 7 digits, each with or without `:START[-END]`, or chunk id
 * @throws DocfuseError `not_found` with the three nearest names; `usage` for a path that several collections have
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
  throw new DocfuseError('usage', `More than one document is called ${name}.`, `Say ${ids.join(' or ')}.`);
}

/** The document that alone passes a test. */
function only(
  { catalog }: ReadableWorkspace,
  test: (document: CatalogDocument) => boolean,
): CatalogDocument | undefined {
  const found = [...catalog().all()].filter(test);
  return found.length === 1 ? found[0] : undefined;
}

/** The commit whose hash begins so, with or without its collection. */
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

/** A name with a line break, say, is shown otherwise on a terminal and in the text of a tool. */
function byShownName(workspace: ReadableWorkspace, ...names: readonly (string | undefined)[]) {
  return only(workspace, ({ id, path }) => [id, path].some((each) => names.includes(oneLine(each))));
}

/** The id that a file at this place has; the root of a collection may be one file. */
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
    const remedy = 'Name the folders that were searched after the document';
    return new DocfuseError(
      'not_found',
      `There is no ${isMade ? 'document in the index' : 'index'} of ${roots}.`,
      isMade ? `${remedy}. ${FILES_READ}` : `${remedy}, or index these first.`,
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

/** Documents whose file name is or holds the last word of the name; without any, those with the nearest names. */
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
  // One document may be near by several of its names.
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
