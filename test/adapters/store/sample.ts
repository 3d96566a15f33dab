/** Documents to put into a store. */

import { contentHash, embeddingText } from '../../../src/core/chunk/chunk-head.ts';
import type { Chunk } from '../../../src/core/model/chunk.ts';
import type { NewDocument } from '../../../src/core/ports.ts';

/** A document whose chunks hold the given texts; equal texts get equal vector keys. */
export function sampleDocument(path: string, texts: readonly string[], hash = 'h'): NewDocument {
  const chunks = texts.map((text, i) => sampleChunk(path, text, i));
  return {
    id: `notes/${path}`,
    collection: 'notes',
    path,
    fields: {
      title: path,
      keywords: ['k'],
      tags: ['a/b', 'c'],
      aliases: [],
      author: 'Ada',
      date: '2026-01-02',
    },
    frontMatter: { title: path, nested: { list: [1, null, 'x'] }, when: '2026' },
    size: 123,
    modified: 1_763_000_000_123.456,
    altered: 1_763_000_000_200.5,
    hash,
    firstLine: 4,
    warnings: ['something odd'],
    chunks,
    parents: [{ id: `p${path}`, headingPath: [path], start: 0, end: 99, startLine: 4, endLine: 9 }],
    links: [
      { kind: 'wikilink', target: 'Other', anchor: 'Part', label: 'see', line: 5 },
      { kind: 'relative', target: '../x.md', line: 6 },
    ],
    vectorKeys: chunks.map((chunk) => keyOf(chunk)),
    contents: chunks.map((chunk) => contentHash(chunk)),
  };
}

function keyOf(chunk: Pick<Chunk, 'headingPath' | 'text'>): string {
  return `key:${embeddingText(chunk)}`;
}

function sampleChunk(path: string, text: string, i: number): Chunk {
  return {
    id: `${path}#${i}`,
    headingPath: ['Guide', 'Part'],
    text,
    overlap: i === 0 ? 0 : 2,
    codeBlocks:
      i === 0
        ? [
            { language: 'ts', text: 'let a', startLine: 5, endLine: 7 },
            { language: '', text: 'plain', startLine: 8, endLine: 9 },
            { language: 'ts', text: 'let b', startLine: 9, endLine: 9 },
          ]
        : [],
    start: i * 10,
    end: i * 10 + text.length,
    startLine: 4 + i,
    endLine: 5 + i,
    ...(i === 0 && { parentId: `p${path}` }),
  };
}
