/** Links: every way to write one, its target, anchor, label and line, and what is not one. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';

const links = (text: string) => parseDocument('note.md', text).links;
const brief = (text: string) =>
  links(text).map(({ kind, target, anchor, label }) => [kind, target, anchor, label]);

describe('wikilinks', () => {
  it.each([
    ['[[Target]]', ['wikilink', 'Target', undefined, undefined]],
    ['[[ Target |a label]]', ['wikilink', 'Target', undefined, 'a label']],
    ['[[Target#Heading|l]]', ['wikilink', 'Target', 'Heading', 'l']],
    ['[[Target#^block]]', ['wikilink', 'Target', '^block', undefined]],
    ['![[Target.png]]', ['transclusion', 'Target.png', undefined, undefined]],
    ['[[Topic: part 100%]]', ['wikilink', 'Topic: part 100%', undefined, undefined]],
    ['| a |\n|---|\n| [[T\\|l]] |', ['wikilink', 'T', undefined, 'l']],
    ['[[some text|a.b.c#part]]', ['wikilink', 'a.b.c', 'part', 'some text']],
    ['[[a.b.c|d.e.f]]', ['wikilink', 'a.b.c', undefined, 'd.e.f']],
    ['[[T|file.md]]', ['wikilink', 'T', undefined, 'file.md']],
    ['[[a.b|dendron://vault/a]]', ['wikilink', 'a', undefined, 'a.b']],
    ['![[dendron://vault/a.b#part]]', ['transclusion', 'a.b', 'part', undefined]],
    ['[[[T]]]', ['wikilink', 'T', undefined, undefined]],
    ['[[ never closed [[T]]', ['wikilink', 'T', undefined, undefined]],
    ['[[T]](not an address)', ['wikilink', 'T', undefined, undefined]],
    ['[^1]: [[T]]', ['wikilink', 'T', undefined, undefined]],
    ['见https://x.y，因[[T]]而', ['wikilink', 'T', undefined, undefined]],
  ])('%j', (text, expected) => expect(brief(text)).toEqual([expected]));

  it.each([
    ['[[T]]\n\n[t]: a/t%201.md "Title"', ['wikilink', 'a/t 1.md', undefined, 'T']],
    ['[[T#Part|l]]\n\n[T#Part|l]: a/t.md#Part', ['wikilink', 'a/t.md', 'Part', 'T']],
    ['[[T#Part|l]]\n\n[T]: a/t.md', ['wikilink', 'a/t.md', 'Part', 'T']],
    ['![[T]]\n\n[T]: a/t.md', ['transclusion', 'a/t.md', undefined, 'T']],
    ['[[T|l]]\n\n[l]: a/t.md', ['wikilink', 'T', undefined, 'l']],
    ['[[T]]\n\n[T]: https://x.y', ['wikilink', 'T', undefined, undefined]],
  ])('%j takes the target of a definition of its name, and keeps the name as label', (text, expected) =>
    expect(brief(text)).toEqual([expected]),
  );

  it.each(['[[]]', '[[#Here]]', '[[a\nb]]', '\\[[T]]', '[[https://x.y]]', '[[a]'])('%j is none', (text) =>
    expect(links(text)).toEqual([]),
  );
});

describe('Markdown links', () => {
  it.each([
    ['[x](../y.md#z)', ['relative', '../y.md', 'z', 'x']],
    ['[x y](<a b.md> "title")', ['relative', 'a b.md', undefined, 'x y']],
    ['[x](a%20b.md?view=1#c%20d)', ['relative', 'a b.md', 'c d', 'x']],
    ['[[1]](notes/t.md)', ['relative', 'notes/t.md', undefined, '[1]']],
    ['[x](100%.md)', ['relative', '100%.md', undefined, 'x']],
    ['[x](a_(b).md)', ['relative', 'a_(b).md', undefined, 'x']],
    ['[x]((a)\\).md "a \\"title\\"")', ['relative', '(a)).md', undefined, 'x']],
    ['[x][long\nname]\n\n[long name]: y.md', ['relative', 'y.md', undefined, 'x']],
    ['[![i](i.png)](y.md)', ['relative', 'y.md', undefined, '![i](i.png)']],
    ['[x][Ref]\n\n[ref]: /r%20s.md "t"', ['relative', '/r s.md', undefined, 'x']],
    ['[ref][] \n\n[ref]: r.md', ['relative', 'r.md', undefined, 'ref']],
    ['[ref]\n\n> [ref]: r.md', ['relative', 'r.md', undefined, 'ref']],
    ['[a [b](c.md) d](e.md)', ['relative', 'c.md', undefined, 'b']],
  ])('%j', (text, expected) => expect(brief(text)).toEqual([expected]));

  it.each([
    '[x](https://x.y/z.md)',
    '[x](mailto:a@b.c)',
    '[x](//host/y.md)',
    '[x](#here)',
    '[x]()',
    '![i](i.png)',
    '[x] (y.md)',
    '[x][none]',
    '[^1]\n\n[^1]: word',
    '\\[x](y.md)',
  ])('%j is none', (text) => expect(links(text)).toEqual([]));
});

it('are not seen in code, comments or HTML', () => {
  const text =
    '`[[a]]` ``[[b]] ` `` <!-- [[c]] --> <a title="[[d]]">\n\n    [[e]]\n\n```\n[[f]]\n```\n\n- ~~~\n  [g](g.md)\n\n<div>\n[[h]]\n</div>';
  expect(links(text)).toEqual([]);
});

it('carry their line in the file', () => {
  const text =
    '---\ntitle: T\n---\n[[a]]\ntext [b](b.md)\n\n> quote\n> [[c]]\n\n- item\n\n  - [[d]]\n\n|h|\n|-|\n|[[e]]|\n';
  expect(links(text).map(({ target, line }) => [target, line])).toEqual([
    ['a', 4],
    ['b.md', 5],
    ['c', 8],
    ['d', 12],
    ['e', 16],
  ]);
});

describe('related', () => {
  it('takes wikilinks, paths, titles and lists, with their lines', () => {
    const text =
      '---\ntitle: Plain\nrelated:\n  - "[[A|label]]"\n  - ../b.md#part\n  - Plain\n  - [[C]]\n---\n[[D]]';
    expect(links(text)).toEqual([
      { kind: 'related', target: 'A', label: 'label', line: 4 },
      { kind: 'related', target: '../b.md', anchor: 'part', line: 5 },
      { kind: 'related', target: 'Plain', line: 6 },
      { kind: 'related', target: 'C', line: 7 },
      { kind: 'wikilink', target: 'D', line: 9 },
    ]);
  });

  it('takes names that are numbers or dates as they are written, and nothing from what is no name', () => {
    const targets = (value: string) => links(`---\nrelated: ${value}\n---\n`).map(({ target }) => target);
    expect(targets('5')).toEqual(['5']);
    expect(targets('[5, 2024-01-31, 1.10]')).toEqual(['5', '2024-01-31', '1.10']);
    for (const value of ['', '~', '[]', '[[]]', '{}', '""', '[~, [], {a: b}]'])
      expect(targets(value)).toEqual([]);
  });

  it('takes several wikilinks in one text, and TOML', () => {
    expect(links('+++\nrelated = "[[A]], [[B]]"\n+++\n').map(({ target, line }) => [target, line])).toEqual([
      ['A', 2],
      ['B', 2],
    ]);
  });
});
