/** Chunking: what holds for every document, and an example for every rule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChunkingSettings,
  chunkDocument,
  DEFAULT_CHUNKING,
} from '../../../src/core/chunk/chunk-document.ts';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { violationsOf } from '../../support/chunk-invariants.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';

const settingsArbitrary: fc.Arbitrary<ChunkingSettings> = fc.record({
  strategy: fc.constantFrom('headers', 'fixed'),
  minChars: fc.constantFrom(0, 20, 200),
  maxChars: fc.constantFrom(1, 30, 120, 1500),
  overlapChars: fc.constantFrom(0, 15, 100),
  parentRetrievalEnabled: fc.boolean(),
  parentMinChars: fc.constantFrom(100, 1500),
  parentMaxChars: fc.constantFrom(150, 2000),
  chunkSize: fc.constantFrom(1, 25, 100, 1000),
  chunkOverlap: fc.constantFrom(0, 10, 200),
});

function chunk(source: string, settings: Partial<ChunkingSettings> = {}, path = 'note.md') {
  return chunkDocument(`vault/${path}`, parseDocument(path, source), { ...DEFAULT_CHUNKING, ...settings });
}

const sentences = (count: number) =>
  Array.from({ length: count }, (_, index) => `Sentence number ${index} is here.`).join(' ');

describe('any document, any settings', () => {
  it('keeps all text, exact lines, limits, whole code and tables, and covers it with parents', () => {
    fc.assert(
      fc.property(markdownFile, settingsArbitrary, (source, settings) => {
        const document = parseDocument('a/b.md', source);
        const chunked = chunkDocument('vault/a/b.md', document, settings);
        expect(violationsOf(source, document, chunked, settings)).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it('holds for arbitrary strings too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), settingsArbitrary, (source, settings) => {
        const document = parseDocument('x', source);
        expect(violationsOf(source, document, chunkDocument('v/x', document, settings), settings)).toEqual(
          [],
        );
      }),
    );
  });

  it.each(['\r\n\t\u00a0', '\n\t\f\n\tx'])('holds for indented white space: %j', (source) => {
    const document = parseDocument('x', source);
    const chunked = chunkDocument('v/x', document, DEFAULT_CHUNKING);
    expect(violationsOf(source, document, chunked, DEFAULT_CHUNKING)).toEqual([]);
  });

  it('never cuts a grapheme that fits, overlap included', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    const graphemes = fc.array(
      fc.constantFrom('👨‍👩‍👧', '🇩🇪', 'e\u0301', 'a', ' ', '汉', 'กำ', '. ', ' \u0301', '각'),
      {
        minLength: 80,
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(graphemes, fc.constantFrom('headers', 'fixed'), (parts, strategy) => {
        const source = parts.join('');
        const { chunks } = chunk(source, {
          strategy,
          maxChars: 60,
          overlapChars: 20,
          chunkSize: 40,
          chunkOverlap: 13,
        });
        const boundaries = new Set(
          [...segmenter.segment(source)].map(({ index }) => index).concat(source.length),
        );
        expect(chunks.flatMap(({ start, end }) => [start, end]).filter((at) => !boundaries.has(at))).toEqual(
          [],
        );
      }),
    );
  });

  it('gives equal files at equal paths equal chunks', () => {
    fc.assert(
      fc.property(markdownFile, (source) => {
        expect(chunk(source)).toEqual(chunk(source));
      }),
      { numRuns: 50 },
    );
  });
});

describe('an empty document', () => {
  it.each(['', '\n\n \n', '---\ntitle: T\n---', '---\ntitle: T\n---\n'])('has one chunk: %j', (source) => {
    const { chunks, parents } = chunk(source);
    expect(chunks).toHaveLength(1);
    expect(parents).toHaveLength(1);
    expect(chunks[0]!.text.trim()).toBe('');
  });
});

describe('sections', () => {
  const long = sentences(15);

  it('make a chunk each, with title and headings as path', () => {
    const { chunks } = chunk(
      `# Title\n\n${long}\n\n## One\n\n${long}\n\n### Deep\n\n${long}\n\n## Two\n\n${long}\n`,
    );
    const paths = chunks.map(({ headingPath }) => headingPath.join('/'));
    expect(paths).toEqual(['Title', 'Title/One', 'Title/One/Deep', 'Title/Two']);
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 3],
      [5, 7],
      [9, 11],
      [13, 15],
    ]);
  });

  it('start their path with the title even where no heading says it', () => {
    const { chunks } = chunk('---\ntitle: Named\n---\n# Other\n\nText.');
    expect(chunks[0]!.headingPath).toEqual(['Named', 'Other']);
    expect(chunks[0]!.startLine).toBe(4);
  });

  it('join the next sibling when short, under the heading that both are under', () => {
    const { chunks } = chunk(`# T\n\n${long}\n\n## Short\n\nBrief.\n\n## Long\n\n${long}\n`);
    expect(chunks.map(({ headingPath }) => headingPath.join('/'))).toEqual(['T', 'T']);
    expect(chunks[1]!.text).toMatch(/^## Short/);
  });

  it('name no heading that some of the passage is not under, whatever its length', () => {
    const source = '# T\n\n## Above\n\nBrief.\n\n## Below\n\nSomewhat longer than what stands above it.\n';
    expect(chunk(source).chunks.map(({ headingPath }) => headingPath)).toEqual([['T']]);
  });

  it('join the one before when short and last', () => {
    const { chunks } = chunk(`# T\n\n${long}\n\n## A\n\n${long}\n\n## B\n\nBrief.\n`);
    expect(chunks).toHaveLength(2);
    expect(chunks[1]!.headingPath).toEqual(['T']);
  });

  it('do not join across a parent heading', () => {
    const { chunks } = chunk(`# T\n\n${long}\n\n## A\n\n${long}\n\n### A1\n\n${long}\n\n## B\n\nBrief.\n`);
    expect(chunks.map(({ headingPath }) => headingPath.at(-1))).toEqual(['T', 'A', 'A1', 'B']);
  });

  it('never join beyond max', () => {
    const { chunks } = chunk(`# A\n\nBrief.\n\n# B\n\n${'x'.repeat(95)}\n`, { minChars: 50, maxChars: 100 });
    expect(chunks).toHaveLength(2);
  });

  it('leave no bare heading before a section that is split', () => {
    const { chunks } = chunk(`# Title\n\n## Long\n\n${sentences(100)}\n`);
    expect(chunks[0]!.text).toMatch(/^# Title\n\n## Long\n\nSentence/);
    expect(chunks.every(({ headingPath }) => headingPath.join('/') === 'Title/Long')).toBe(true);
  });
});

describe('a section longer than max', () => {
  it('is split at block boundaries first', () => {
    const paragraph = 'word '.repeat(12).trim();
    const { chunks } = chunk(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, {
      minChars: 0,
      maxChars: 130,
      overlapChars: 0,
    });
    expect(chunks.map(({ text }) => text.trim())).toEqual([`${paragraph}\n\n${paragraph}`, paragraph]);
  });

  it('then at lines, sentences and words', () => {
    const settings = { minChars: 0, maxChars: 24, overlapChars: 0 };
    const pieces = (source: string) => chunk(source, settings).chunks.map(({ text }) => text.trim());
    expect(pieces('one line of text\nanother line\nthird')).toEqual([
      'one line of text',
      'another line\nthird',
    ]);
    expect(pieces('One short one. Two longer now. Three.')).toEqual([
      'One short one.',
      'Two longer now. Three.',
    ]);
    expect(pieces('seven words without any stop at all')).toEqual(['seven words without any', 'stop at all']);
  });

  it('repeats whole sentences as overlap, inside one section only', () => {
    const { chunks } = chunk(`# A\n\n${sentences(100)}\n\n# B\n\n${sentences(100)}\n`);
    const repeated = chunks.map(({ text, overlap }) => text.slice(0, overlap));
    expect(repeated[0]).toBe('');
    expect(repeated[1]).toMatch(
      /^Sentence number \d+ is here\. Sentence number \d+ is here\. (Sentence number \d+ is here\. )?$/,
    );
    expect(chunks.find(({ text }) => text.startsWith('# B'))!.overlap).toBe(0);
    expect(repeated.every((text) => text.length <= 100)).toBe(true);
  });

  it('keeps a fence and a table whole, wherever they stand', () => {
    const fence = `\`\`\`js\n${'const line = 1;\n'.repeat(80)}\`\`\``;
    const table = `| a | b |\n|---|---|\n${'| cell | cell |\n'.repeat(80)}`.trimEnd();
    for (const solid of [
      fence,
      table,
      fence.replaceAll(/^/gm, '> '),
      `- item\n\n${fence.replaceAll(/^/gm, '  ')}`,
    ]) {
      const { chunks } = chunk(`# T\n\n${sentences(20)}\n\n${solid}\n\n${sentences(40)}\n`);
      const body = solid.startsWith('- item') ? solid.slice(8) : solid;
      expect(chunks.filter(({ text }) => text.includes(body))).toHaveLength(1);
    }
  });

  it('keeps a heading with a fence that just fits', () => {
    const fence = `\`\`\`\n${'x'.repeat(1492)}\n\`\`\``;
    const { chunks } = chunk(`${sentences(10)}\n\n## Heading\n\n${fence}\n`);
    expect(chunks[1]!.text).toBe(`## Heading\n\n${fence}\n`);
  });

  it('never leaves a heading at the end of a piece', () => {
    const fence = `\`\`\`\n${'x'.repeat(1480)}\n\`\`\``;
    const { chunks } = chunk(`## A\n\nBrief.\n\n## B\n\n${fence}\n\n${sentences(20)}\n`);
    expect(chunks.map(({ text }) => text.split('\n', 1)[0]).slice(0, 2)).toEqual(['## A', '## B']);
    expect(chunks[1]!.text).toBe(`## B\n\n${fence}\n\n`);
  });

  it('cuts an overlong fence between lines and gives each chunk its part', () => {
    const { chunks } = chunk(`\`\`\`js\n${'const line = 1;\n'.repeat(200)}\`\`\`\n`);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ text, overlap }) => overlap === 0 && text.endsWith('\n'))).toBe(true);
    const code = chunks.flatMap(({ codeBlocks }) => codeBlocks);
    expect(code.map(({ text }) => text).join('\n')).toBe('const line = 1;\n'.repeat(200).trimEnd());
    expect(code.map(({ startLine, endLine }) => [startLine, endLine])).toEqual(
      chunks.map(({ startLine, endLine }) => [startLine, endLine]),
    );
    expect(code.every(({ language }) => language === 'js')).toBe(true);
  });
});

describe('fixed size', () => {
  it('counts Unicode characters, overlap included, and prefers word boundaries', () => {
    const { chunks } = chunk('🙂'.repeat(25), { strategy: 'fixed', chunkSize: 10, chunkOverlap: 2 });
    expect(chunks.map(({ text }) => [...text].length)).toEqual([10, 10, 9]);
    const words = chunk('alpha beta gamma delta epsilon', {
      strategy: 'fixed',
      chunkSize: 18,
      chunkOverlap: 6,
    }).chunks;
    expect(words.map(({ text }) => text.trim())).toEqual([
      'alpha beta gamma',
      'gamma delta',
      'delta epsilon',
    ]);
  });

  it('takes the heading path of the section where the new text begins', () => {
    const { chunks } = chunk(`# T\n\n${sentences(30)}\n\n## Part\n\n${sentences(60)}`, { strategy: 'fixed' });
    expect(chunks[0]!.headingPath).toEqual(['T']);
    expect(chunks.at(-1)!.headingPath).toEqual(['T', 'Part']);
  });
});

describe('ids', () => {
  it('stay the same for chunks an edit elsewhere does not touch', () => {
    const part = (name: string) => `## ${name}\n\n${sentences(12)}\n\n`;
    const before = chunk(`# T\n\n${part('A')}${part('B')}${part('C')}`).chunks;
    const after = chunk(`# T\n\n${part('A')}${part('New')}${part('B')}${part('C')}`).chunks;
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  });

  it('differ between paths and between repeats of one text', () => {
    const twice = `# T\n\n## A\n\n${sentences(12)}\n\n## A\n\n${sentences(12)}\n\n`;
    const ids = [...chunk(twice).chunks, ...chunk(twice, {}, 'other.md').chunks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('parents', () => {
  const part = (name: string) => `## ${name}\n\n${sentences(12)}\n\n`;

  it('hold consecutive chunks up to their max, under one first-level heading', () => {
    const { chunks, parents } = chunk(
      `# T\n\n${['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(part).join('')}# U\n\n${part('Z')}`,
    );
    expect(parents.every(({ start, end }) => end - start <= 2002)).toBe(true);
    expect(parents[0]!.end - parents[0]!.start).toBeGreaterThanOrEqual(1500);
    expect(parents.at(-1)!.headingPath[1]).toBe('U');
    expect(new Set(chunks.map(({ parentId }) => parentId)).size).toBe(parents.length);
  });

  it('are left out when switched off', () => {
    const { chunks, parents } = chunk('# T\n\nText.', { parentRetrievalEnabled: false });
    expect(parents).toEqual([]);
    expect(chunks[0]).not.toHaveProperty('parentId');
  });
});
