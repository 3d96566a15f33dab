/** Parses one document: front matter, title, tags, links, code blocks and sections, all with exact places. */
import type { Block, Link, ParsedDocument, Section } from '../model/document.ts';
import { indexLines, normalizeLineEnds, trimSpan } from '../text/lines.ts';
import { readBlocks } from './blocks.ts';
import { readFields } from './fields.ts';
import { readFrontMatter } from './front-matter.ts';
import { readInlineMarks, relatedLinks } from './links.ts';
import { journalDate, pageName } from './logseq.ts';
import { mergeTags } from './tags.ts';
import { clipTitle, pageOf, plainText, visibleText } from './visible-text.ts';

/**
 * Parses any string as Markdown. Never throws, and takes time linear in its length.
 * @param path path inside the collection, with `/`. If the document has no title, its file name is the title
 * @param text text of the file, without byte order mark; CRLF and lone CR are line breaks
 */
export function parseDocument(path: string, text: string): ParsedDocument {
  const file = normalizeLineEnds(text);
  const { values, source, end, firstLine, warnings } = readFrontMatter(file);
  const { title, tags, related, warnings: fieldWarnings, ...fields } = readFields(values);
  const date = fields.date ?? journalDate(path);

  const body = file.slice(end);
  const { blocks, headings, codeBlocks, contextPrefixes, regions, environment } = readBlocks(body, firstLine);
  const page = pageOf(path, body);
  const { text: visible, moved } = visibleText(body, regions, page);
  const plainHeadings = headings.map(({ level, content, start }) => {
    return { level, start: moved(start), text: plainText(content, environment, page) };
  });
  const marks = readInlineMarks(body, regions, environment);
  const lines = indexLines(body);
  const links = marks.links.map(({ at, ...link }): Link => ({ ...link, line: firstLine + lines.lineAt(at) }));
  const firstTitle = plainHeadings.find(({ level, text: heading }) => level === 1 && heading !== '')?.text;

  return {
    path,
    title: clipTitle(title ?? firstTitle ?? fileTitle(path)),
    ...fields,
    ...(date !== undefined && { date }),
    tags: mergeTags(tags, marks.tags),
    text: visible,
    firstLine,
    frontMatter: values,
    sections: readSections(visible, plainHeadings),
    blocks: blocks.flatMap((block) => shownBlock(visible, block.kind, moved(block.start), moved(block.end))),
    contextPrefixes: contextPrefixes.map(({ from, to, start, end }) => {
      return { from: moved(from), to: moved(to), start: moved(start), end: moved(end) };
    }),
    links: [...relatedLinks(related, source), ...links],
    codeBlocks,
    warnings: [...warnings, ...fieldWarnings],
  };
}

/** Returns the block from its first to its last line with visible text; nothing if all lines are blank. */
function shownBlock(text: string, kind: Block['kind'], start: number, end: number): readonly Block[] {
  const [first, last] = trimSpan(text, start, end);
  if (first === last) return [];
  const lineEnd = text.indexOf('\n', last);
  return [
    { kind, start: text.lastIndexOf('\n', first) + 1, end: lineEnd === -1 ? text.length : lineEnd + 1 },
  ];
}

/**
 * Returns the file name without its extension, and without the 32 digits that Notion adds. `.2` in `release-1.2` is not an
 * extension.
 */
function fileTitle(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[a-z][a-z0-9]{0,9}$/i, '');
  return pageName(path, name.replace(/(?<=.) [0-9a-f]{32}$/, ''));
}

interface PlainHeading {
  readonly level: number;
  readonly text: string;
  readonly start: number;
}

/**
 * Splits a text at its headings. Text before the first heading is the preamble; if there are only blank lines, they belong to the
 * section of the first heading.
 */
function readSections(text: string, headings: readonly PlainHeading[]): readonly Section[] {
  const sections: Section[] = [];
  const firstHeading = headings[0]?.start ?? text.length;
  const [first, last] = trimSpan(text, 0, firstHeading);
  const hasPreamble = first < last || headings.length === 0;
  if (hasPreamble) sections.push({ headings: [], level: 0, start: 0, end: firstHeading });

  const ancestors: PlainHeading[] = [];
  for (const [index, heading] of headings.entries()) {
    while (ancestors.length > 0 && ancestors.at(-1)!.level >= heading.level) ancestors.pop();
    ancestors.push(heading);
    sections.push({
      headings: ancestors.map((ancestor) => ancestor.text).filter((name) => name !== ''),
      level: heading.level,
      start: index === 0 && !hasPreamble ? 0 : heading.start,
      end: headings[index + 1]?.start ?? text.length,
    });
  }
  return sections;
}
