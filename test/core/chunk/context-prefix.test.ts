/** The context prefix of a chunk that goes on with a list or a table. */
import { describe, expect, it } from 'vitest';
import {
  type ChunkingSettings,
  chunkDocument,
  DEFAULT_CHUNKING,
} from '../../../src/core/chunk/chunk-document.ts';
import { contentHash, embeddingText } from '../../../src/core/chunk/chunk-head.ts';
import { createKeywordRetriever } from '../../../src/core/indexes/keyword.ts';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';

const SMALL = { minChars: 20, maxChars: 120, overlapChars: 0 };

function chunk(source: string, settings: Partial<ChunkingSettings> = SMALL) {
  return chunkDocument('vault/note.md', parseDocument('note.md', source), {
    ...DEFAULT_CHUNKING,
    ...settings,
  }).chunks;
}

/** The context prefix of the chunk in which a text is new. */
function prefixOf(text: string, source: string, settings?: Partial<ChunkingSettings>): string | undefined {
  const found = chunk(source, settings).filter((each) => each.text.slice(each.overlap).includes(text));
  expect(found, text).toHaveLength(1);
  return found[0]!.contextPrefix;
}

const rows = (count: number, indent = '') =>
  Array.from({ length: count }, (_, row) => `${indent}| port ${row} | ${row}0 ms |\n`).join('');
const items = (count: number, mark: (item: number) => string = () => '- ') =>
  Array.from({ length: count }, (_, item) => `${mark(item)}item number ${item} of them\n`).join('');

const TABLE = `Measured today.\n\n| name | latency |\n|---|---|\n${rows(20)}`;
const LIST = `Much was tried. These ports are open:\n\n${items(12)}`;

describe('a table that is cut', () => {
  it('has its header row before later rows, and nothing before the first', () => {
    expect(prefixOf('| port 0 |', TABLE)).toBeUndefined();
    expect(prefixOf('| port 19 |', TABLE)).toBe('| name | latency |');
  });

  it('is followed by text without a prefix', () => {
    expect(prefixOf('After it', `${TABLE}\nAfter it ${'all is said. '.repeat(7)}`)).toBeUndefined();
  });

  it('takes one line for its header, as GitHub does', () => {
    const source = `| name | latency |\n|---|---|\n| | (in ms) |\n${rows(20)}`;
    expect(prefixOf('| port 19 |', source)).toBe('| name | latency |');
  });

  it('has no prefix when its header says nothing', () => {
    expect(prefixOf('| port 19 |', `| | |\n|---|---|\n${rows(20)}`)).toBeUndefined();
  });

  it('in a list is led to by the item, too', () => {
    const source = `Costs:\n\n- Berlin is slow.\n\n  | name | latency |\n  |---|---|\n${rows(20, '  ')}`;
    expect(prefixOf('| port 19 |', source)).toBe('Costs:\nBerlin is slow.\n| name | latency |');
  });

  it('has a huge header cut between words', () => {
    const header = `| ${'column '.repeat(100)}| b |`;
    const prefix = prefixOf('| port 9 |', `Before.\n\n${header}\n|---|---|\n${rows(10)}`)!;
    expect(prefix.length).toBeLessThanOrEqual(200);
    expect(prefix).toMatch(/^\| column .* column$/);
    const grapheme = '👨‍👩‍👧';
    const emoji = prefixOf('| port 9 |', `| ${grapheme.repeat(90)} | b |\n|---|---|\n${rows(10)}`)!;
    expect(emoji).toBe(`| ${grapheme.repeat(Math.floor(198 / grapheme.length))}`);
  });

  it('without rows leads nowhere', () => {
    const source = `| name | latency |\n|---|---|\n\n${'A sentence of some length follows here. '.repeat(6)}`;
    expect(chunk(source).map(({ contextPrefix }) => contextPrefix)).toEqual(
      chunk(source).map(() => undefined),
    );
  });
});

describe('a list that is cut', () => {
  it('has the last sentence before it', () => {
    expect(prefixOf('item number 0 of', LIST)).toBeUndefined();
    expect(prefixOf('item number 11 of', LIST)).toBe('These ports are open:');
  });

  it('may be ordered', () => {
    const source = `In this order:\n\n${items(12, (item) => `${item + 1}. `)}`;
    expect(prefixOf('item number 11 of', source)).toBe('In this order:');
  });

  it('has the same prefix for its first item when that begins a chunk', () => {
    const source = `${'So much to say of it here. '.repeat(4)}Open:\n\n${items(12)}`;
    expect(prefixOf('item number 0 of', source)).toBe('Open:');
  });

  it('has none when a heading, code or another list stands before it', () => {
    for (const before of ['Said.\n\n# Title', 'Said.\n\n```\ncode\n```', 'Said.\n\n1. first', '']) {
      expect(prefixOf('item number 11 of', `${before}\n\n${items(12)}`)).toBeUndefined();
    }
  });

  it('in another one has the nearest items and what leads to the outer one', () => {
    const inner = items(12, () => '    - ');
    const source = `Settings:\n\n- Server\n  - Ports:\n${inner}- Client\n${items(12, () => '  * ')}`;
    const prefixes = chunk(source).map(({ contextPrefix }) => contextPrefix);
    expect(new Set(prefixes)).toEqual(new Set([undefined, 'Settings:\nServer\nPorts:', 'Settings:\nClient']));
  });

  it('has the term before the rest of what defines it', () => {
    const rest = 'The rest of the definition is told over here. '.repeat(4);
    const source = `1. **Slot.** A number.\n\n   ${rest}\n\n   Last words.\n2. **Other**`;
    expect(prefixOf('Last words', source)).toBe('**Slot.**');
  });

  it('in a quote has no marks of the quote in its prefix', () => {
    const source = `> Open are:\n>\n${items(12, () => '> - ')}`;
    expect(prefixOf('item number 11 of', source)).toBe('Open are:');
  });

  it('leaves out what is too far away to have room', () => {
    const far = `${'far '.repeat(45)}away:`;
    const source = `${far}\n\n- Near\n${items(12, () => '  - ')}`;
    expect(prefixOf('item number 11 of', source)).toBe(`${far}\nNear`);
    expect(prefixOf('item number 11 of', source.replace('Near', 'Near '.repeat(4).trim()))).toBe(
      'Near Near Near Near',
    );
  });

  it('has no prefix that the chunk repeats as overlap', () => {
    const source = `${'So much to say. '.repeat(6)}These are open:\n\n${items(12)}`;
    const [, second, third] = chunk(source, { ...SMALL, overlapChars: 40 });
    expect(second!.text).toContain('These are open:');
    expect(second!.contextPrefix).toBeUndefined();
    expect(third!.contextPrefix).toBe('These are open:');
  });
});

describe('any prefix', () => {
  it('is the same for other line ends, and for pieces of fixed length', () => {
    for (const source of [TABLE, LIST]) {
      expect(chunk(source.replaceAll('\n', '\r\n'))).toEqual(chunk(source));
      const fixed = chunk(source, { strategy: 'fixed', chunkSize: 90, chunkOverlap: 0 });
      expect(fixed.at(-1)!.contextPrefix).toBe(chunk(source).at(-1)!.contextPrefix);
    }
  });

  it('is embedded and found by words, and changes neither text, lines, id nor content', () => {
    const last = chunk(TABLE).at(-1)!;
    const { contextPrefix, ...bare } = last;
    expect(embeddingText(last)).toBe(`note\n\n${contextPrefix}\n\n${last.text.trim()}`);
    expect(last.text).not.toContain('latency');
    expect(last.endLine).toBe(24);
    expect(contentHash(last)).toBe(contentHash(bare));
    const index = createKeywordRetriever({ idOf: String });
    const document = { title: 'note', keywords: [], tags: [], aliases: [] };
    index.add([
      { slot: 0, chunk: bare, document },
      { slot: 1, chunk: last, document },
    ]);
    const found = (query: string) =>
      index
        .search({ parsed: parseQuery(query) }, 9)
        .entries.map(({ slot }) => slot)
        .sort();
    expect(found('port')).toEqual([0, 1]);
    expect(found('latency')).toEqual([1]);
  });
});
