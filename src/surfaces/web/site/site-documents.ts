/** Finds documents of an export by name and reads their lines. Loads only the files of a document that have these lines. */
import { DocfuseError } from '../../../core/errors.ts';
import { LIST_STARTS_FILE, listFile } from '../../../core/fragments/export-format.ts';
import {
  type ShownDocument,
  type ShownPassage,
  toCatalogDocument,
} from '../../../core/fragments/text-fragment.ts';
import { firstNewLine, lineInChunk } from '../../../core/model/chunk.ts';
import { anchorName, createAnchorNames } from '../../../core/text/anchor-name.ts';
import { headingLines } from '../../../core/text/heading-lines.ts';
import { sliceLines } from '../../../engine/documents/slice-lines.ts';
import { toWire } from '../../operations/wire.ts';
import type { AnswerTo, InputTo } from '../session.ts';
import type { SiteData } from './site-data.ts';

/** Finds a document by its id; by its path, file name or title if no document has this id. */
export async function find(data: SiteData, name: string): Promise<ShownDocument> {
  const starts = await data.json<readonly string[]>(LIST_STARTS_FILE);
  const place = starts.findLastIndex((start) => start <= name);
  const near = place < 0 ? [] : await data.json<ShownDocument[]>(listFile('path', place));
  const exact = near.find((each) => idOf(each) === name);
  if (exact) return exact;
  const wanted = name.toLowerCase();
  const ends = [wanted, `${wanted}.md`].map((each) => each.replace(/^\/*/, '/'));
  const all = await data.list('path');
  const found =
    all.find((each) => ends.some((end) => `/${idOf(each).toLowerCase()}`.endsWith(end))) ??
    all.find(({ title, aliases = [] }) => [title, ...aliases].some((each) => each.toLowerCase() === wanted));
  if (found) return found;
  throw new DocfuseError(
    'not_found',
    `There is no document ${name}.`,
    'Search for words from its title or text.',
  );
}

export const idOf = ({ collection, path }: ShownDocument) => `${collection}/${path}`;

export function documentFacts(document: ShownDocument): AnswerTo<'/api/documents'>['documents'][number] {
  const { id, collection, path, title, tags, modified, frontMatter } = toCatalogDocument(document);
  const { chunks, linksOut, linksIn } = document;
  return {
    document_id: id,
    collection,
    path,
    title,
    tags: [...tags],
    chunks,
    modified: new Date(modified).toISOString(),
    front_matter: frontMatter,
    links_out: linksOut,
    links_in: linksIn,
  };
}

/** Number of passages that are loaded together. */
const AT_ONCE = 32;

export async function read(
  data: SiteData,
  input: InputTo<'/api/documents/{document}'>,
): Promise<AnswerTo<'/api/documents/{document}'>> {
  const [, name, anchor] = /^(.*?)(?:#([^#]+))?$/.exec(input.document)!;
  const document = await find(data, name!);
  const passages = passagesOf(data, document.number);
  const { count, load } = passages;
  const [[first], [last]] = await Promise.all([load(0, 1), load(count - 1, count)]);
  const firstLine = first ? beginOf(first) : 1;
  const lastLine = last ? beginOf(last) + linesOf([last]).length - 1 : 1;

  const isSection = anchor !== undefined;
  const wanted = input.start_line ?? firstLine;
  const begin = isSection ? 0 : await beginBefore(passages, wanted);
  const loaded: ShownPassage[] = [];
  let missing = input.max_chars ?? Number.POSITIVE_INFINITY;
  for (let at = begin; at < count && (isSection || missing > 0); at += AT_ONCE) {
    const next = await load(at, at + AT_ONCE);
    loaded.push(...next);
    const before = next.filter((passage) => passage.endLine < wanted);
    missing -= next.slice(before.length).reduce((sum, { text, overlap }) => sum + text.length - overlap, 0);
    if (!isSection && next.at(-1)!.endLine > (input.end_line ?? lastLine)) break;
  }
  const lines = linesOf(loaded);
  const start = loaded[0] ? beginOf(loaded[0]) : firstLine;
  const code = loaded.flatMap(({ codeBlocks }) => codeBlocks);
  const isCode = (at: number) =>
    code.some(({ startLine, endLine }) => startLine <= start + at && start + at <= endLine);
  const startLine = isSection ? start + lineOfHeading(lines, isCode, idOf(document), anchor) : wanted;
  const range = { startLine, endLine: input.end_line ?? lastLine, maxChars: input.max_chars };
  return { ...documentFacts(document), ...toWire(sliceLines(lines, start, range)), last_line: lastLine };
}

function passagesOf({ passages, index }: SiteData, number: number) {
  const first = passages.slice(0, number).reduce((sum, count) => sum + count, 0);
  const count = passages[number]!;
  return {
    count,
    /** Loads passages by their places in the document, from 0: start inclusive, end exclusive. */
    async load(start: number, end: number): Promise<readonly ShownPassage[]> {
      const length = Math.max(0, Math.min(end, count) - start);
      const places = Array.from({ length }, (_, at) => first + start + at);
      return (await index.chunks(places)).filter((chunk) => chunk !== undefined);
    },
  };
}

/** Returns the place of a passage that begins before a line and outside of code, so that reading can begin there. */
async function beginBefore({ count, load }: ReturnType<typeof passagesOf>, line: number): Promise<number> {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [passage] = await load(middle, middle + 1);
    if (passage && beginOf(passage) < line) low = middle;
    else high = middle - 1;
  }
  for (; low > 0; low--) {
    const [passage] = await load(low, low + 1);
    const begin = firstNewLine(passage!);
    if (!passage!.codeBlocks.some(({ startLine, endLine }) => startLine <= begin && begin <= endLine)) break;
  }
  return low;
}

/** Returns the first line of a passage, without the text that it shares with the passage before. */
function beginOf(passage: ShownPassage): number {
  const own = passage.text.slice(passage.overlap);
  const blank = own.slice(0, Math.max(0, own.search(/\S/))).split('\n').length - 1;
  return lineInChunk(passage, passage.overlap) - blank;
}

function linesOf(passages: readonly ShownPassage[]): readonly string[] {
  const text = passages.map((passage) => passage.text.slice(passage.overlap)).join('');
  return text.replace(/\n$/, '').split('\n');
}

function lineOfHeading(
  lines: readonly string[],
  isCode: (at: number) => boolean,
  id: string,
  anchor: string,
): number {
  const wanted = anchorName(anchor);
  const nameOf = createAnchorNames();
  for (const { row, line } of headingLines(lines.join('\n')))
    if (!isCode(row) && nameOf(line) === wanted) return row;
  throw new DocfuseError(
    'not_found',
    `${id} has no section #${anchor}.`,
    'Search for words from its heading or text.',
  );
}
