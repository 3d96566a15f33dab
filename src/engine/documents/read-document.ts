/** Reads lines of a document from the index. */
import { DocfuseError } from '../../core/errors.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { anchorName } from '../../core/text/anchor-name.ts';
import { createFileOf } from '../file-of.ts';
import { didYouMean, suggest } from '../nearest.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { documentFacts } from './document-facts.ts';
import type { DocumentText, ReadOptions } from './documents-api.ts';
import { findDocument } from './find-document.ts';
import { sliceLines } from './slice-lines.ts';

const SUGGESTIONS = 3;
const WITHOUT_ANCHOR = 'Read the document without # to see its headings.';

/**
 * @throws DocfuseError `not_found` for an unknown document or section; `usage` if the document does not have these lines, or if
 *   name and options both give lines
 */
export async function readDocument(
  workspace: ReadableWorkspace,
  name: string,
  options: ReadOptions,
  cwd: string,
): Promise<DocumentText> {
  options.signal?.throwIfAborted();
  const found = await findDocument(workspace, name, options, cwd);
  const { number, id } = found.document;
  const firstLine = workspace.store.document(number)?.firstLine ?? 1;
  const chunks = await workspace.store.chunksOf(number);
  const text = chunks.map((chunk) => chunk.text.slice(chunk.overlap)).join('');
  const lines = text.replace(/\n$/, '').split('\n');
  const lastLine = firstLine + lines.length - 1;
  const explicit = options.startLine !== undefined || options.endLine !== undefined;
  if (explicit && (found.startLine ?? found.anchor) !== undefined) {
    const remedy = 'Give the lines once: with the name, or as first and last line.';
    throw new DocfuseError('usage', `${name} already names lines, and other lines are given too.`, remedy);
  }
  const section =
    found.anchor === undefined
      ? found
      : (pageLines(found.document, lastLine, found.anchor) ??
        blockLines(lines, firstLine, found.anchor) ??
        (await sectionLines(found.document, lines, firstLine, found.anchor)));
  const { startLine = firstLine, endLine = lastLine } = explicit ? options : section;
  const single = (explicit ? options : section).endLine === undefined || startLine === endLine;
  requireLines(id, { startLine, endLine, firstLine, lastLine }, single);
  const file = createFileOf(workspace.collections)(found.document);
  return {
    ...documentFacts(workspace, found.document),
    ...(file !== undefined && { file }),
    ...sliceLines(lines, firstLine, { startLine, endLine, maxChars: options.maxChars }),
    lastLine,
  };
}

/**
 * Returns the lines of a page such as `page=3`; undefined for another kind of anchor, and for a document without pages.
 * @throws DocfuseError `not_found` for a page that does not exist
 */
function pageLines({ id, pages }: CatalogDocument, lastLine: number, anchor: string) {
  const page = /^page=(\d+)$/.exec(anchor)?.[1];
  if (!pages || page === undefined) return undefined;
  const startLine = pages[Number(page) - 1];
  if (startLine !== undefined) return { startLine, endLine: (pages[Number(page)] ?? lastLine + 1) - 1 };
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
  throw new DocfuseError(
    'not_found',
    `${id} has no page ${page}: it has ${count}.`,
    'Ask for one of these pages.',
  );
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * Returns the lines of the block that a name such as `^steps` marks. As in Obsidian, the name ends the block, or stands alone on a
 * line below the block. Undefined for another kind of anchor, and for a name that the document does not have.
 */
function blockLines(lines: readonly string[], firstLine: number, anchor: string) {
  if (!anchor.startsWith('^')) return undefined;
  const named = lines.findIndex((line) => ` ${line.trim()}`.endsWith(` ${anchor}`));
  if (named < 0) return undefined;
  const isAlone = lines[named]!.trim() === anchor;
  const end = isAlone ? lines.findLastIndex((line, at) => at < named && line.trim() !== '') : named;
  const above = lines.findLastIndex((line, at) => at < end && line.trim() === '');
  const start = end < 0 || ITEM.test(lines[end]!) ? Math.max(0, end) : above + 1;
  return { startLine: firstLine + start, endLine: firstLine + named };
}

const joined = (anchor: string) => anchor.replaceAll(/[-_]/g, '');

/** Returns the first and last line of a section in the file. @throws DocfuseError `not_found` with the nearest anchors */
async function sectionLines(
  { id, path }: CatalogDocument,
  lines: readonly string[],
  firstLine: number,
  asked: string,
) {
  // Loads the Markdown parser only here, because a search never needs it.
  const { readAnchors } = await import('../../core/markdown/anchors.ts');
  const anchors = readAnchors(path, lines.join('\n'));
  const wanted = anchorName(asked);
  // Sites make anchors in other ways, such as `a-b-c` of `a_b.c()`.
  const section =
    anchors.find(({ name }) => name === wanted) ??
    anchors.find(({ name }) => joined(name) === joined(wanted));
  if (section) {
    const last = lines.findLastIndex((line, at) => at < section.end && line.trim() !== '');
    return { startLine: firstLine + section.start, endLine: firstLine + last };
  }
  const names = anchors.map(({ name }) => name);
  const near = suggest(wanted, names, SUGGESTIONS).map((name) => `#${name}`);
  throw new DocfuseError('not_found', `${id} has no section #${asked}.`, didYouMean(near, WITHOUT_ANCHOR));
}

function requireLines(
  id: string,
  lines: Readonly<Record<'startLine' | 'endLine' | 'firstLine' | 'lastLine', number>>,
  single: boolean,
): void {
  const { startLine, endLine, firstLine, lastLine } = lines;
  if (startLine <= endLine && startLine >= 1 && startLine <= lastLine && endLine >= firstLine) return;
  const length = lastLine === 1 ? '1 line' : `${lastLine} lines`;
  const text = firstLine > 1 ? `its text is lines ${firstLine}–${lastLine}` : `it has ${length}`;
  const wanted = single ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  throw new DocfuseError(
    'usage',
    `${id} has no ${wanted}: ${text}.`,
    'Ask for lines of the document, the first before the last.',
  );
}
