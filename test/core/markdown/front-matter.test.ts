/** Front matter: fences, YAML and TOML, known fields, and what happens to bad ones. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { isoDate } from '../../../src/core/text/dates.ts';

const read = (text: string) => parseDocument('note.md', text);
const yaml = (...lines: string[]) => read(`---\n${lines.join('\n')}\n---\nbody`);

describe('fences', () => {
  it.each([
    '---\na: 1\n---\nbody',
    '---  \na: 1\n...\nbody',
    '+++\na = 1\n+++\nbody',
    '---\r\na: 1\r\n---\r\nbody',
  ])('enclose fields at the very start: %j', (text) =>
    expect(read(text)).toMatchObject({ frontMatter: { a: 1 }, text: 'body', firstLine: 4, warnings: [] }),
  );

  it.each(['\n---\na: 1\n---\n', 'x\n---\na: 1\n---\n', '---\n\nJust a rule.'])(
    'are rules elsewhere: %j',
    (text) => {
      expect(read(text)).toMatchObject({ frontMatter: {}, text, firstLine: 1, warnings: [] });
    },
  );

  it('that are never closed leave everything as text, with a warning if fields follow', () => {
    const text = '---\ntitle: x\n\nbody';
    expect(read(text)).toMatchObject({ text, title: 'note' });
    expect(read(text).warnings).toEqual([
      'Front matter opened on line 1 is never closed by ---; it was read as text.',
    ]);
  });

  it('around prose are rules, so that nothing of it is lost', () => {
    expect(read('---\nOnce upon a time\n---\nbody').text).toBe('---\nOnce upon a time\n---\nbody');
  });

  it('around nothing are front matter', () =>
    expect(read('---\n---\nbody')).toMatchObject({ text: 'body', firstLine: 3 }));
});

describe('malformed front matter', () => {
  it.each([
    ['---\na: 1\nb: [}\n---\nbody', 3],
    ['---\ntitle: A: B\n---\nbody', 2],
    ['---\na: 1\na: 2\n---\nbody', 3],
    ['+++\na = 1\nb\n+++\nbody', 3],
    ['---\na: *nowhere\n---\nbody', 2],
  ])('%j gives one warning with the line, and the body', (text, line) => {
    const document = read(text);
    expect(document.text).toBe('body');
    expect(document.warnings).toHaveLength(1);
    expect(document.warnings[0]).toContain(`malformed on line ${line}: `);
  });

  it.each([
    ['lists', yaml('x: 1', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`), 3],
    ['lists never closed', yaml('x: 1', `a: ${'['.repeat(201)}`), 3],
    ['fields', yaml(`a: ${'{a: '.repeat(300)}1${'}'.repeat(300)}`), 2],
    [
      'fields on lines of their own',
      yaml(...Array.from({ length: 250 }, (_, n) => `${' '.repeat(n)}a:`)),
      201,
    ],
    ['lists by dashes', yaml('a:', '- '.repeat(9_000)), 3],
    ['lists in TOML', read(`+++\nx = 1\na = ${'['.repeat(900)}${']'.repeat(900)}\n+++\nbody`), 3],
  ])('may be nested too deeply: %s', (_, document, line) => {
    expect(document).toMatchObject({
      frontMatter: {},
      text: 'body',
      warnings: [`Front matter is malformed on line ${line}: values are nested more than 200 levels deep.`],
    });
  });

  it('is read where it is nested deeply, and what is deeper than 32 dropped', () => {
    const { frontMatter, warnings } = yaml('x: 1', `a: ${'['.repeat(150)}${']'.repeat(150)}`);
    expect([frontMatter.x, warnings]).toEqual([1, []]);
    expect(JSON.stringify(frontMatter.a)).toBe(`${'['.repeat(31)}null${']'.repeat(31)}`);
  });

  it('may be an alias bomb, a cycle or too long', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`),
    ];
    expect(yaml(...bomb).warnings[0]).toContain('Excessive alias count');
    expect(yaml('a: &a [1, *a]').frontMatter).toEqual({ a: [1, null] });
    expect(yaml(`a: ${'x'.repeat(70_000)}`).warnings[0]).toContain('longer than 64 KB');
  });
});

describe('values', () => {
  it('are plain, whatever the format', () => {
    expect(yaml('n: 1.5', 'd: 2024-05-01', 'o: {p: [true, null]}', 'i: .inf').frontMatter).toEqual({
      n: 1.5,
      d: '2024-05-01',
      o: { p: [true, null] },
      i: 'Infinity',
    });
    expect(read('+++\nd = 2024-05-01T10:00:00Z\ntitle = "T"\ndate = 2024-05-01\n+++\n')).toMatchObject({
      title: 'T',
      date: '2024-05-01',
      frontMatter: { d: '2024-05-01T10:00:00.000Z' },
    });
  });

  it('cannot reach a prototype', () => {
    const { frontMatter } = yaml(
      '__proto__: {polluted: true}',
      'constructor: {prototype: {polluted: true}}',
      'x: {__proto__: 1}',
    );
    expect(Object.getOwnPropertyNames(frontMatter)).toEqual(['constructor', 'x']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('known fields', () => {
  it('are read with tolerance', () => {
    const fields = yaml(
      'title: 007',
      'summary: S',
      'keywords: one two, three',
      'tags: [7, "#a b", c/d]',
      'aliases: Other',
      'author: [A, B]',
      'type: note',
      'created: 2024-5-1',
    );
    expect(fields).toMatchObject({
      title: '007',
      description: 'S',
      keywords: ['one two', 'three'],
      tags: ['7', 'a b', 'c/d'],
      aliases: ['Other'],
      author: 'A, B',
      category: 'note',
      date: '2024-05-01',
      warnings: [],
    });
  });

  it('of the wrong type are ignored with a warning', () => {
    const document = yaml('title: [a]', 'description: {a: 1}', 'tags: [x, {y: 1}]', 'date: yesterday');
    expect(document).toMatchObject({ title: 'note', tags: ['x'] });
    expect(document).not.toHaveProperty('date');
    expect(document.warnings).toEqual([
      'Front matter field "title" is a list, not text; it was ignored.',
      'Front matter field "description" is a group of fields, not text; it was ignored.',
      'Front matter field "date" is "yesterday", not a date such as 2024-05-31; it was ignored.',
      'Front matter field "tags" contains a value that is not text; the value was ignored.',
    ]);
  });

  it('take a number for a tag and a date for an author as text, and never a list for a title', () => {
    const document = yaml('tags: 2024', 'author: 2024-05-01', 'title: [a, b]', 'category: 7', 'aliases: 3.5');
    expect(document).toMatchObject({
      title: 'note',
      tags: ['2024'],
      author: '2024-05-01',
      category: '7',
      aliases: ['3.5'],
    });
    expect(document.warnings).toEqual(['Front matter field "title" is a list, not text; it was ignored.']);
  });

  it('that are empty are absent, without a warning', () => {
    expect(yaml('title:', 'tags:', 'date: ""', 'author: []')).toMatchObject({
      title: 'note',
      tags: [],
      warnings: [],
    });
  });
});

describe('dates', () => {
  it.each([
    ['2024', '2024'],
    ['2024-05', '2024-05'],
    ['2024/5/1', '2024-05-01'],
    ['20240501', '2024-05-01'],
    ['2024-05-01 10:30', '2024-05-01T10:30:00Z'],
    ['2024-05-01T10:30:00.25+02:00', '2024-05-01T08:30:00.250Z'],
    ['2024-01-01T00:30:00+0100', '2023-12-31T23:30:00Z'],
    ['1595952505024', '2020-07-28T16:08:25.024Z'],
    ['1066-10-14', '1066-10-14'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
    ['9999-12-31', '9999-12-31'],
  ])('%s is %s', (written, iso) => expect(isoDate(written)).toBe(iso));

  it.each(['2024-02-30', '2024-13-01', '24-01-01', '05/01/2024', '2024-05-01 25:00', 'soon', ''])(
    '%j is none',
    (written) => {
      expect(isoDate(written)).toBeUndefined();
    },
  );

  it('a field longer than what is searched of it', () => {
    const list = Array.from({ length: 900 }, (_, n) => `w${n}`).join(', ');
    const { aliases, warnings } = parseDocument('a.md', `---\naliases: [${list}]\n---\n\ntext\n`);
    expect(aliases).toHaveLength(900);
    expect(warnings).toEqual([
      'Front matter field "aliases" is longer than 2000 characters; the rest is not searched.',
    ]);
  });
});
