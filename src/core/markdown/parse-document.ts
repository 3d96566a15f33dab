/** Reads one document: front matter, title, tags, links, code blocks and sections, all with exact places. */
import type { Link, ParsedDocument } from '../model/document.ts';
import { atOnce, type Steps } from '../steps.ts';
import { indexLines, normalizeLineEnds } from '../text/lines.ts';
import { readBlocks } from './blocks.ts';
import { readFields } from './fields.ts';
import { readFrontMatter } from './front-matter.ts';
import { readInlineMarks } from './links.ts';
import { clip, plainText } from './plain-text.ts';
import { relatedLinks } from './related.ts';
import { readSections } from './sections.ts';
import { mergeTags } from './tags.ts';

/**
 * Reads any string as Markdown; never throws, and takes time linear in its length.
 * @param path inside the collection, with `/`; names the document when nothing else does
 * @param text of the file, without byte order mark; CRLF and lone CR count as line breaks
 */
export function parseDocument(path: string, text: string): ParsedDocument {
  return atOnce(parseInSteps(path, text));
}

/** The same; what markdown-it does of it, telling blocks apart, is one step. */
export function* parseInSteps(path: string, text: string): Steps<ParsedDocument> {
  const file = normalizeLineEnds(text);
  const { values, source, end, firstLine, warnings } = readFrontMatter(file);
  const { title, tags, related, warnings: fieldWarnings, ...fields } = readFields(values);

  const body = file.slice(end);
  const { blocks, headings, codeBlocks, leads, inlineRegions, environment } = yield* readBlocks(
    body,
    firstLine,
  );
  const plainHeadings = headings.map(({ level, content, start }) => {
    return { level, start, text: plainText(content, environment) };
  });
  yield;
  const marks = yield* readInlineMarks(body, inlineRegions, environment);
  yield;
  const lines = indexLines(body);
  const links = marks.links.map(({ at, ...link }): Link => ({ ...link, line: firstLine + lines.lineAt(at) }));
  const firstTitle = plainHeadings.find(({ level, text: heading }) => level === 1 && heading !== '')?.text;

  return {
    path,
    title: clip(title ?? firstTitle ?? fileTitle(path)),
    ...fields,
    tags: mergeTags(tags, marks.tags),
    text: body,
    firstLine,
    frontMatter: values,
    sections: readSections(body, plainHeadings),
    blocks,
    leads,
    links: [...relatedLinks(related, source), ...links],
    codeBlocks,
    warnings: [...warnings, ...fieldWarnings],
  };
}

/** The file name without its extension; `release-1.2` has none. */
function fileTitle(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\.[a-z][a-z0-9]{0,9}$/i, '');
}
