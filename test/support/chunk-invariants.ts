/** What holds for every document and its chunks, told apart from the code that makes them. */

import MarkdownIt from 'markdown-it';
import type { ChunkingSettings } from '../../src/core/chunk/chunk-document.ts';
import type { ChunkedDocument } from '../../src/core/model/chunk.ts';
import type { ParsedDocument } from '../../src/core/model/document.ts';

const { unescapeAll: decode } = new MarkdownIt().utils;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
}

/** Sentences on what is wrong; empty when all is well. `source` is the file as it was. */
export function violationsOf(
  source: string,
  document: ParsedDocument,
  { chunks, parents }: ChunkedDocument,
  settings: ChunkingSettings,
): readonly string[] {
  const wrong: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };
  const { text } = document;
  const file = source.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const fileLines = file.split('\n');
  const textLines = text.split('\n');
  expect(fileLines.length === document.firstLine - 1 + textLines.length, 'lines were lost');
  expect(
    textLines.every((shown, index) =>
      isPartOf(shown, withDecoded(fileLines[document.firstLine - 1 + index] ?? '')),
    ),
    'a line shows what the file does not say',
  );

  // No text is lost.
  expect(chunks.length > 0, 'there is no chunk');
  expect(chunks.map((chunk) => chunk.text.slice(chunk.overlap)).join('') === text, 'text was lost');
  expect(
    parents.map(({ start, end }) => text.slice(start, end)).join('') === (parents.length ? text : ''),
    'parents do not cover',
  );

  // Lines are exact: counted from the breaks of the original file.
  const lineInText = lineCounter(text);
  const line = (offset: number) => document.firstLine - 1 + lineInText(offset);
  const exact = (place: Place) => {
    const content = text.slice(place.start, place.end);
    const first =
      place.start + (content.length - content.trimStart().length) * (content.trim() === '' ? 0 : 1);
    const last = Math.max(first, place.start + content.trimEnd().length - 1);
    return place.startLine === line(first) && place.endLine === line(last);
  };
  const isWithinFile = text === '' || [...chunks, ...parents].every(exact);
  expect(isWithinFile, 'lines are wrong');
  if (text === '')
    expect(
      chunks.every((chunk) => chunk.startLine === document.firstLine),
      'lines of nothing are wrong',
    );

  for (const [index, chunk] of chunks.entries()) {
    const name = `chunk ${index}`;
    expect(chunk.text === text.slice(chunk.start, chunk.end), `${name}: text is not its slice`);
    expect(/^[0-9a-f]{13}$/.test(chunk.id), `${name}: id`);
    expect(chunk.headingPath[0] === document.title, `${name}: heading path lacks the title`);
    expect(
      index === 0 ? chunk.overlap === 0 : chunk.start + chunk.overlap === chunks[index - 1]!.end,
      `${name}: overlap`,
    );
    expect(text.trim() === '' || chunk.text.slice(chunk.overlap).trim() !== '', `${name}: blank`);
    expect(!splitsPair(text, chunk.start) && !splitsPair(text, chunk.end), `${name}: cuts a surrogate pair`);
    expect(
      chunk.codeBlocks.every((code) => code.startLine >= chunk.startLine && code.endLine <= chunk.endLine),
      `${name}: code lines`,
    );
    const { contextPrefix } = chunk;
    if (contextPrefix !== undefined) {
      const above = text.slice(0, chunk.start);
      expect(
        contextPrefix.split('\n').every((each) => above.includes(each)),
        `${name}: context prefix is not above it`,
      );
      expect(
        contextPrefix.trim() !== '' && contextPrefix.length < 400,
        `${name}: length of the context prefix`,
      );
      const newStart = chunk.start + chunk.overlap;
      expect(
        !document.sections.some(({ start }) => start === newStart),
        `${name}: context prefix without a cut`,
      );
    }
    if (settings.parentRetrievalEnabled) {
      const parent = parents.find(({ id }) => id === chunk.parentId);
      expect(
        parent !== undefined && parent.start <= chunk.start + chunk.overlap && parent.end >= chunk.end,
        `${name}: parent`,
      );
    }
  }
  expect(new Set(chunks.map(({ id }) => id)).size === chunks.length, 'chunk ids repeat');
  expect(new Set(parents.map(({ id }) => id)).size === parents.length, 'parent ids repeat');
  wrong.push(...blockViolations(document));
  wrong.push(
    ...(settings.strategy === 'headers' ? limitViolations(document, { chunks, parents }, settings) : []),
  );
  return wrong;
}

/** Adds after each entity what may be shown in its place: its character, after a backslash if it is a mark, or a blank. */
function withDecoded(line: string): string {
  return line.replaceAll(/&#?\w+;/g, (entity) => `${entity}\\${decode(entity)} `);
}

/** Blocks and sections lie in order; sections cover the text and only blank lines lie between blocks. */
function blockViolations({ text, blocks, sections }: ParsedDocument): readonly string[] {
  const wrong: string[] = [];
  let at = 0;
  for (const block of blocks) {
    if (block.start < at) wrong.push('blocks overlap');
    if (text.slice(at, block.start).trim() !== '') wrong.push('text between blocks');
    at = block.end;
  }
  if (text.slice(at).trim() !== '') wrong.push('text after the last block');
  if (sections.map(({ start, end }) => text.slice(start, end)).join('') !== text)
    wrong.push('sections do not cover');
  return wrong;
}

/** No chunk exceeds max by more than its heading and the blank lines after it; code and tables that fit are whole. */
function limitViolations(
  { text, blocks }: ParsedDocument,
  { chunks }: ChunkedDocument,
  { maxChars }: ChunkingSettings,
): readonly string[] {
  const wrong: string[] = [];
  const headings = new Map(
    blocks.filter(({ kind }) => kind === 'heading').map(({ start, end }) => [start, end]),
  );
  for (const [index, { text: content, start }] of chunks.entries()) {
    const contentStart = start + content.length - content.trimStart().length;
    const lineStart = text.lastIndexOf('\n', contentStart) + 1;
    const afterHeading = headings.get(lineStart);
    const body = text.slice(afterHeading ?? lineStart);
    const headingLength = afterHeading === undefined ? 0 : text.length - body.trimStart().length - lineStart;
    // A surrogate pair is the least there is.
    if (content.trim().length > Math.max(2, maxChars) + headingLength) wrong.push(`chunk ${index}: too long`);
  }
  const cuts = chunks.flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b);
  let next = 0;
  for (const { kind, start, end } of blocks) {
    while (next < cuts.length && cuts[next]! <= start) next++;
    const isSolid = kind === 'code' || kind === 'table';
    const isCut = next < cuts.length && cuts[next]! < start + text.slice(start, end).trimEnd().length;
    if (isSolid && isCut && text.slice(start, end).trim().length <= maxChars)
      wrong.push(`${kind} at ${start}: cut`);
  }
  return wrong;
}

/** 1-based line of ever later or earlier offsets, counted by walking. */
function lineCounter(file: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) if (file[at] === '\n') line++;
    for (; at > offset; at--) if (file[at - 1] === '\n') line--;
    return line;
  };
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff;
}

/** Whether a line is another one with some characters left out, or replaced by a space. */
function isPartOf(shown: string, source: string): boolean {
  let at = 0;
  for (const unit of shown) {
    if (unit.trim() === '') continue;
    at = source.indexOf(unit, at) + unit.length;
    if (at < unit.length) return false;
  }
  return true;
}
