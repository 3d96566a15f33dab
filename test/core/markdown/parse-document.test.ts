/** Reading a document: title, tags, sections, blocks, code, and places that stay true. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';

const read = (text: string, path = 'folder/note.md') => parseDocument(path, text);

describe('title', () => {
  it.each([
    ['---\ntitle: From YAML\n---\n# Heading', 'From YAML'],
    ['---\ntitle: 1.10\n---\n', '1.10'],
    [
      'text\n\n## Two\n\n# The *one* with `code`, [link](x.md), [[Page|label]] &amp; \\* <b>tag</b>',
      'The one with code, link, label & * tag',
    ],
    ['Setext\ntitle\n===', 'Setext title'],
    ['# Named { #anchor }', 'Named'],
    ['# \n\ntext', 'note'],
    ['> # quoted', 'note'],
    ['---\ntitle: [a, b]\n---\n', 'note'],
  ])('of %j is %j', (text, title) => expect(read(text).title).toBe(title));

  it.each([
    ['a/release-1.2.md', 'release-1.2'],
    ['release-1.2', 'release-1.2'],
    ['README', 'README'],
    ['.md', '.md'],
  ])('of the empty file %j is %j', (path, title) => expect(read('', path).title).toBe(title));

  it('is clipped when it is absurdly long, without cutting a character', () => {
    const { title } = read(`# ${'x'.repeat(499)}🙂${'y'.repeat(10_000)}`);
    expect(title).toBe('x'.repeat(499));
  });
});

describe('tags', () => {
  it('come from front matter and text, once each, whatever their case', () => {
    const { tags } = read(
      '---\ntags: "#One, two three"\n---\n#ONE and #a/b/ (#标签) #2024 #y2024 **#bold** #🙂',
    );
    expect(tags).toEqual(['One', 'two', 'three', 'a/b', '标签', 'y2024', 'bold', '🙂']);
  });

  it('are not seen in code, headings marks, URLs, links or HTML', () => {
    const text = [
      '# heading',
      '##no',
      '`#a`',
      '``x ` #b``',
      'https://x.y/#c',
      'x#d',
      '&#39;',
      '\\#e',
      '[l](y.md#f)',
      '[[P#g]]',
      '<i style="color: #fff">',
      '<!-- #h -->',
      '\n    #i',
      '\n```\n#j\n```',
      '\n<div>\n#k\n</div>',
    ].join('\n');
    expect(read(text).tags).toEqual([]);
  });

  it('are seen where a code span was never closed', () => {
    expect(read('``a `b #yes').tags).toEqual(['yes']);
  });
});

describe('sections', () => {
  it('open at every top-level heading, with the headings above', () => {
    const { sections, text } = read(
      '\npre\n\n# A\n\nx\n\n### Deep\n\nB\n---\n\n> # quoted\n\n- # listed\n\n```\n# code\n```\n',
    );
    expect(sections.map(({ level, headings }) => [level, ...headings])).toEqual([
      [0],
      [1, 'A'],
      [3, 'A', 'Deep'],
      [2, 'A', 'B'],
    ]);
    expect(sections.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
  });

  it('have no preamble where only blank lines come before the first heading', () => {
    expect(read('\n\n# A').sections).toEqual([{ headings: ['A'], level: 1, start: 0, end: 5 }]);
  });
});

describe('blocks', () => {
  const blocks = (source: string) => {
    const { blocks: found, text } = read(source);
    return found.map(({ kind, start, end }) => [kind, text.slice(start, end)]);
  };

  it('are the paragraphs, list items, quotes, tables and so on', () => {
    expect(
      blocks('# H\ntext\nmore\n\n- one\n\n  still\n- two\n\n> q\nlazy\n\n|a|\n|-|\n|b|\n\n<p>\nx\n\n***\n'),
    ).toEqual([
      ['heading', '# H\n'],
      ['paragraph', 'text\nmore\n'],
      ['list', '- one\n\n  still\n'],
      ['list', '- two\n'],
      ['quote', '> q\nlazy\n'],
      ['table', '|a|\n|-|\n|b|\n'],
      ['html', 'x\n'],
      ['rule', '***\n'],
    ]);
  });

  it('single out code and tables inside lists and quotes', () => {
    expect(blocks('- a\n  ```\n  x\n  ```\n  b\n> |a|\n> |-|\n> c')).toEqual([
      ['list', '- a\n'],
      ['code', '  ```\n  x\n  ```\n'],
      ['list', '  b\n'],
      ['table', '> |a|\n> |-|\n> c'],
    ]);
  });
});

describe('code blocks', () => {
  it('have language, content and exact lines, fences included', () => {
    const text = [
      '---',
      'a: 1',
      '---',
      '```ts',
      'x',
      '',
      'y',
      '```',
      '',
      '    indented',
      '',
      '- ~~~~py',
      '  z',
      '  ~~~~',
      '',
      '> ```',
      '> q',
      '> ```',
    ].join('\r\n');
    expect(read(text).codeBlocks).toEqual([
      { language: 'ts', text: 'x\n\ny', startLine: 4, endLine: 8 },
      { language: '', text: 'indented', startLine: 10, endLine: 10 },
      { language: 'py', text: 'z', startLine: 12, endLine: 14 },
      { language: '', text: 'q', startLine: 16, endLine: 18 },
    ]);
  });

  it('end at the last line with text when their fence is never closed', () => {
    expect(read('```\na\n\n\n').codeBlocks).toEqual([{ language: '', text: 'a', startLine: 1, endLine: 2 }]);
  });

  it('begin at their first line that is not blank', () => {
    const begin = '\n\t\u00a0\n';
    expect(read(`${begin}\tx\n`).codeBlocks).toEqual([{ language: '', text: 'x', startLine: 3, endLine: 3 }]);
    expect(read(begin).codeBlocks).toEqual([]);
  });

  it.each([
    ['ts {1,3}', 'ts'],
    ['ts{1,3}', 'ts'],
    ['{.python .numbered}', 'python'],
    ['{#id .Rust}', 'rust'],
    ['{r, echo=FALSE}', 'r'],
    ['python=', 'python'],
    ['rust,ignore', 'rust'],
    ['js:title.js', 'js'],
    ['C++ title="x=.y"', 'c++'],
    ['c#', 'c#'],
    ['{=html}', 'html'],
    ['', ''],
  ])('read the info string %j as %j', (info, language) =>
    expect(read(`~~~ ${info}\nx\n~~~`).codeBlocks[0]?.language).toBe(language),
  );
});

describe('any text', () => {
  it('is kept, with lines counted as an editor does', () => {
    const { text, firstLine, links } = read('---\r\na: 1\r\n---\r\none\rtwo\f\u2028\0\r\n[[Three]]');
    expect(text).toBe('one\ntwo\f\u2028\0\n[[Three]]');
    expect(firstLine).toBe(4);
    expect(links[0]?.line).toBe(6);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(markdownFile, fc.string({ unit: 'binary' })), (text) => {
        expect(read(text).text).toBeTypeOf('string');
      }),
    );
  });

  it('takes time linear in its length, however hostile', () => {
    const hostile: Readonly<Record<string, (length: number) => string>> = {
      quotes: (n) => `${'>'.repeat(10_000)}\n${'x\n'.repeat(n / 2)}`,
      lists: (n) => `${'- '.repeat(10_000)}\n${'x\n'.repeat(n / 2)}`,
      brackets: (n) => '['.repeat(n),
      closed: (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
      wikilinks: (n) => `${'[['.repeat(n / 2)}x]]`,
      emphasis: (n) => '*a '.repeat(n / 3),
      backticks: (n) => Array.from({ length: Math.sqrt(2 * n) }, (_, index) => '`'.repeat(index)).join(' '),
      destinations: (n) => '[a](b (c'.repeat(n / 8),
      html: (n) => '<a b="<!-- '.repeat(n / 11),
      heading: (n) => `# ${'[{#'.repeat(n / 3)}`,
      references: (n) => `[a]: b\n${'[a] '.repeat(n / 4)}`,
    };
    const time = (text: string) => {
      const began = process.cpuUsage().user;
      read(text);
      return (process.cpuUsage().user - began) / 1000;
    };
    for (const [name, make] of Object.entries(hostile)) {
      time(make(25_000));
      // Quadratic work would take sixteen times as long, and half a minute at this length.
      const [short, long] = [time(make(50_000)), time(make(200_000))];
      expect(long, name).toBeLessThan(10 * short + 150);
    }
  });
});
