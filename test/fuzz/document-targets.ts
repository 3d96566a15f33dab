/** Fuzz targets: what reads and cuts files. */
import fc from 'fast-check';
import {
  type ChunkingSettings,
  chunkDocument,
  DEFAULT_CHUNKING,
} from '../../src/core/chunk/chunk-document.ts';
import { readFrontMatter } from '../../src/core/markdown/front-matter.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import type { ParsedDocument } from '../../src/core/model/document.ts';
import { inlineSpans } from '../../src/core/text/inline-spans.ts';
import { normalizeLineEnds } from '../../src/core/text/lines.ts';
import { plainMarkdown } from '../../src/core/text/plain-markdown.ts';
import { violationsOf } from '../support/chunk-invariants.ts';
import { arbitraryText, MARKS } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';

/** Title, links, code and sections lie where they are said to lie. */
export const markdownTarget = fuzzTarget('markdown', arbitraryText, (source) => {
  const document = parseDocument('folder/note.md', source);
  const chunked = chunkDocument('vault/folder/note.md', document, DEFAULT_CHUNKING);
  return [
    ...violationsOf(source, document, chunked, DEFAULT_CHUNKING),
    ...placeViolations(source, document),
    ...(document.title === '' || document.title.length > 500 ? ['the title is empty or endless'] : []),
  ];
});

function placeViolations(
  source: string,
  { links, codeBlocks, firstLine }: ParsedDocument,
): readonly string[] {
  const lines = normalizeLineEnds(source).split('\n');
  const wrong: string[] = [];
  for (const { kind, line, target } of links) {
    if (target === '') wrong.push(`a ${kind} link has no target`);
    if (!(line >= 1 && line <= lines.length)) wrong.push(`a link lies on line ${line} of ${lines.length}`);
    else if (kind === 'related' ? line >= firstLine : !lines[line - 1]!.includes('['))
      wrong.push(`there is no ${kind} link on line ${line}`);
  }
  for (const { startLine, endLine } of codeBlocks) {
    const isInside = startLine >= firstLine && startLine <= endLine && endLine <= lines.length;
    if (!isInside) wrong.push(`code lies on lines ${startLine} to ${endLine} of ${lines.length}`);
  }
  return wrong;
}

const fields = [
  'title',
  'tags',
  'aliases',
  'date',
  'related',
  'author',
  'x',
  '"a b"',
  '__proto__',
  'constructor',
  '?',
  '<<',
  '[a]',
  'a.b',
];
const scalars = [
  '1',
  '1.10',
  'true',
  '~',
  '""',
  "'",
  '[',
  '[a, b]',
  '{x: 1}',
  '&a [*a]',
  '*a',
  '!!js/function x',
  '2024-13-45',
  '|',
  '>-',
  '"\\u',
  '0x1F',
  '.inf',
  '- a',
  '[[Note]]',
  '../../etc/passwd',
];
const fieldLine = fc
  .tuple(
    fc.constantFrom('', '  ', '\t', '- ', '    - '),
    fc.constantFrom(...fields),
    fc.constantFrom(': ', ':', ' = ', '='),
    fc.oneof(fc.constantFrom(...scalars), fc.json({ maxDepth: 2 }), fc.constantFrom(...MARKS)),
  )
  .map((parts) => parts.join(''));

const frontMatterFile = fc
  .tuple(
    fc.constantFrom('---', '+++', '--- ', '\ufeff---', '----'),
    fc.array(
      fc.oneof({ weight: 3, arbitrary: fieldLine }, fc.string({ maxLength: 30 }), fc.constantFrom(...MARKS)),
      { maxLength: 12 },
    ),
    fc.constantFrom('---', '+++', '...', '', '---x'),
    arbitraryText.map((text) => text.slice(0, 200)),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([open, lines, close, body, end]) => [open, ...lines, close, body].join(end));

/** What is front matter and what is body make up the file, and values are what JSON can hold. */
export const frontMatterTarget = fuzzTarget(
  'front-matter',
  fc.oneof({ weight: 3, arbitrary: frontMatterFile }, arbitraryText),
  (source) => {
    const file = normalizeLineEnds(source);
    const { values, end, firstLine, warnings, source: between } = readFrontMatter(file);
    const wrong: string[] = [];
    if (end > file.length || !file.slice(0, end).includes(between))
      wrong.push('the front matter is not in the file');
    if (file.slice(0, end).split('\n').length !== firstLine && end < file.length)
      wrong.push(`the body begins on line ${firstLine}?`);
    if (JSON.stringify(JSON.parse(JSON.stringify(values))) !== JSON.stringify(values))
      wrong.push('values are not JSON');
    if (warnings.some((warning) => !/[.!?]$/.test(warning)))
      wrong.push(`a warning is no sentence: ${warnings}`);
    if (Object.getPrototypeOf(values) !== Object.prototype)
      wrong.push('values have a prototype of their own');
    parseDocument('note.md', source);
    return wrong;
  },
);

/** Links, code spans and tags lie inside the text, in order; what a reader sees of a text keeps the ranges given. */
export const linksTarget = fuzzTarget('links', arbitraryText, (text) => {
  const wrong: string[] = [];
  let before = 0;
  for (const { start, end, shown } of inlineSpans(text)) {
    const isInside =
      before <= start && start <= shown[0] && shown[0] <= shown[1] && shown[1] <= end && end <= text.length;
    if (!isInside) wrong.push(`a span from ${start} to ${end} shows ${shown}`);
    before = start;
  }
  const third = Math.floor(text.length / 3);
  const plain = plainMarkdown(text, [
    [0, third],
    [third, 2 * third],
  ]);
  for (const [start, end] of plain.ranges) {
    if (!(start >= 0 && start < end && end <= plain.text.length))
      wrong.push(`a range became ${start} to ${end}`);
  }
  return wrong;
});

const settings: fc.Arbitrary<ChunkingSettings> = fc.record({
  strategy: fc.constantFrom('headers', 'fixed'),
  minChars: fc.constantFrom(0, 20, 200),
  maxChars: fc.constantFrom(1, 30, 120, 1500),
  overlapChars: fc.constantFrom(0, 15, 100, 5000),
  parentRetrievalEnabled: fc.boolean(),
  parentMinChars: fc.constantFrom(100, 1500),
  parentMaxChars: fc.constantFrom(150, 2000),
  chunkSize: fc.constantFrom(1, 25, 100, 1000),
  chunkOverlap: fc.constantFrom(0, 10, 200),
});

/** The chunks of a document give back its text, whatever the settings. */
export const chunkerTarget = fuzzTarget('chunker', fc.tuple(arbitraryText, settings), ([whole, chosen]) => {
  // Pieces of one character make thousands of chunks of a long text.
  const source = whole.slice(0, chosen.maxChars < 100 || chosen.chunkSize < 100 ? 1_500 : whole.length);
  const document = parseDocument('a/b.md', source);
  return violationsOf(source, document, chunkDocument('vault/a/b.md', document, chosen), chosen);
});
