import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkFinder } from '../../../src/core/graph/link-edges.ts';
import {
  createLinkResolver,
  documentsNamed,
  type NamedDocument,
} from '../../../src/core/graph/link-resolver.ts';
import type { Link } from '../../../src/core/model/document.ts';

interface Names {
  readonly title?: string;
  readonly aliases?: readonly string[];
}

/** Resolves `spelling`, written in the document at `from`, among the documents given by path. */
function resolve(documents: Readonly<Record<string, Names>>, from: string, spelling: string) {
  const resolver = createLinkResolver();
  const named = Object.entries(documents).map(
    ([path, { title = `Title of ${path}`, aliases = [] }], number): NamedDocument => ({
      number,
      path,
      title,
      aliases,
    }),
  );
  for (const document of named) resolver.add(document);
  return named[resolver.resolve(from, spelling) ?? -1]?.path;
}

describe('link resolution', () => {
  it('prefers the path relative to the linking file', () => {
    const documents = { 'a/note.md': {}, 'note.md': {}, 'b/note.md': {} };
    expect(resolve(documents, 'a/x.md', 'note')).toBe('a/note.md');
    expect(resolve(documents, 'a/x.md', '../note.md')).toBe('note.md');
    expect(resolve(documents, 'a/x.md', '../b/note')).toBe('b/note.md');
  });

  it('then takes the path from the root, before a suffix', () => {
    const documents = { 'a/note.md': {}, 'b/a/note.md': {} };
    expect(resolve(documents, 'c/x.md', 'a/note')).toBe('a/note.md');
  });

  it('then a path suffix, when it is the only one', () => {
    expect(resolve({ 'x/a/note.md': {} }, 'y.md', 'a/note')).toBe('x/a/note.md');
    expect(resolve({ 'x/a/note.md': {}, 'y/a/note.md': {} }, 'y.md', 'a/note')).toBeUndefined();
  });

  it('then the base name, the shortest path first', () => {
    const documents = { 'a/b/c/note.md': {}, 'long-folder/note.md': {}, 'b/note.md': {} };
    expect(resolve(documents, 'x.md', 'Note')).toBe('b/note.md');
    expect(resolve(documents, 'a/b/c/x.md', 'Note')).toBe('a/b/c/note.md');
  });

  it('does not take a base name for a path that is not there', () => {
    expect(resolve({ 'a/note.md': {} }, 'x.md', 'gone/note.md')).toBeUndefined();
  });

  it('then an alias, then a title', () => {
    const documents = { 'a.md': { title: 'Same' }, 'b.md': { aliases: ['Same', 'A/B'] } };
    expect(resolve(documents, 'x.md', 'same')).toBe('b.md');
    expect(resolve(documents, 'x.md', 'a/b')).toBe('b.md');
    expect(resolve({ 'a.md': { title: 'Ünï: one' } }, 'x.md', 'ünï: One')).toBe('a.md');
  });

  it('takes a dotted name for a name, with or without extension', () => {
    const documents = { 'release-1.2.md': {}, 'release-1.md': {}, 'node.js.md': {} };
    expect(resolve(documents, 'x.md', 'release-1.2')).toBe('release-1.2.md');
    expect(resolve(documents, 'x.md', 'release-1.2.md')).toBe('release-1.2.md');
    expect(resolve(documents, 'x.md', 'release-1.3')).toBeUndefined();
    expect(resolve(documents, 'x.md', 'Node.js')).toBe('node.js.md');
  });

  it('prefers the exact spelling among names that differ in case', () => {
    const documents = { 'a/Note.md': {}, 'b/note.md': {} };
    expect(resolve(documents, 'x.md', 'note')).toBe('b/note.md');
    expect(resolve(documents, 'x.md', 'Note')).toBe('a/Note.md');
    expect(resolve(documents, 'x.md', 'NOTE')).toBe('a/Note.md');
  });

  it('does not care how accents are composed', () => {
    expect(resolve({ 'Cafe\u0301.md': {} }, 'x.md', 'Caf\u00e9')).toBe('Cafe\u0301.md');
    expect(resolve({ 'Caf\u00e9 au lait.md': {} }, 'x.md', 'cafe\u0301 au lait.md')).toBe(
      'Caf\u00e9 au lait.md',
    );
  });

  it('reads a leading slash as the root of the collection', () => {
    const documents = { 'a/note.md': {}, 'note.md': {} };
    expect(resolve(documents, 'a/x.md', '/note')).toBe('note.md');
    expect(resolve(documents, 'a/x.md', '/docs/note')).toBeUndefined();
  });

  it('takes a folder for its index or README, the index first', () => {
    const documents = {
      'README.md': {},
      'a/readme.md': {},
      'b/c/README.md': {},
      'b/c/index.md': {},
      'b/x.md': {},
    };
    expect(resolve(documents, 'b/x.md', 'c')).toBe('b/c/index.md');
    expect(resolve(documents, 'b/x.md', 'c/')).toBe('b/c/index.md');
    expect(resolve(documents, 'b/x.md', '../a/')).toBe('a/readme.md');
    expect(resolve(documents, 'b/x.md', 'A')).toBe('a/readme.md');
    expect(resolve(documents, 'b/c/index.md', '../../a')).toBe('a/readme.md');
    expect(resolve(documents, 'b/x.md', '..')).toBe('README.md');
    expect(resolve(documents, 'b/x.md', '/')).toBe('README.md');
    expect(resolve(documents, 'a/readme.md', './')).toBe('a/readme.md');
    expect(resolve(documents, 'b/x.md', './')).toBeUndefined();
  });

  it('takes a document before the folder of its name, unless a slash follows', () => {
    const documents = { 'a.md': {}, 'a/README.md': {}, 'b.md': {} };
    expect(resolve(documents, 'x.md', 'a')).toBe('a.md');
    expect(resolve(documents, 'x.md', 'a/')).toBe('a/README.md');
    expect(resolve(documents, 'x.md', 'b/')).toBe('b.md');
  });

  it('a name outside of the collection is no document in it, but a path may have one .. too many', () => {
    const documents = { 'decisions/README.md': {}, 'guides/web/page.md': {}, 'x.md': {} };
    expect(resolve(documents, 'decisions/README.md', '../../../README.md')).toBeUndefined();
    expect(resolve(documents, 'x.md', '../web/page.md')).toBe('guides/web/page.md');
  });

  it('never leaves the collection, and takes folders for no documents', () => {
    const documents = { 'a.md': {}, 'a/b/c.md': {} };
    for (const spelling of ['../../../../a.md/..', '..', '.', './', '/', '', 'a/..']) {
      expect(resolve(documents, 'a/b/c.md', spelling)).toBeUndefined();
    }
  });
});

describe('spellings of a link', () => {
  /** Whether a link of `index.md` leads to the document at `path`. */
  function leadsTo(path: string, link: Pick<Link, 'kind' | 'target'> & Partial<Link>): boolean {
    const named = { collection: 'c', title: path, aliases: [] };
    const index = { ...named, number: 1, path: 'index.md' };
    return createLinkFinder([index, { ...named, number: 2, path }])(index, { line: 1, ...link }) === 2;
  }

  it('finds names with #, | and %, which look like syntax', () => {
    expect(leadsTo('C#.md', { kind: 'wikilink', target: 'C' })).toBe(true);
    expect(leadsTo('C# notes.md', { kind: 'wikilink', target: 'C', anchor: 'notes' })).toBe(true);
    expect(leadsTo('a|b.md', { kind: 'wikilink', target: 'a', label: 'b' })).toBe(true);
    expect(leadsTo('my note.md', { kind: 'wikilink', target: 'my%20note' })).toBe(true);
    expect(leadsTo('100%.md', { kind: 'wikilink', target: '100%' })).toBe(true);
  });

  it('reads the label when the target is nothing, as Dendron writes them', () => {
    expect(leadsTo('a.b.c.md', { kind: 'wikilink', target: 'See this', label: 'a.b.c#part' })).toBe(true);
    expect(leadsTo('here.md', { kind: 'relative', target: 'gone.md', label: 'here' })).toBe(false);
  });
});

describe('names without a document to start from', () => {
  const segment = fc.constantFrom('a', 'A', 'b', 'é', 'e\u0301', 'a.md');
  const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  const document = fc.record({ path: name, title: name, aliases: fc.array(name, { maxLength: 1 }) });

  it('are those of links: a link from the root leads to one of the documents that are found', () => {
    fc.assert(
      fc.property(fc.uniqueArray(document, { selector: ({ path }) => path }), name, (documents, asked) => {
        const all = documents.map((each, number) => {
          return {
            ...each,
            number,
            id: `c/${each.path}`,
            collection: 'c',
            tags: [],
            modified: 0,
            frontMatter: {},
          };
        });
        const resolver = createLinkResolver();
        for (const each of all) resolver.add(each);
        const meant = resolver.resolve('', asked);
        const found = documentsNamed(all, asked).map(({ number }) => number);
        // A link to the end of several paths means none of them, in whatever case. A person means the one with this case, or is told
        // which there are.
        const folded = (each: string) => `/${each.normalize('NFC').toLowerCase().replace(/\.md$/, '')}`;
        const ending = all.filter(({ path }) => folded(path).endsWith(folded(asked)));
        if (asked.includes('/') && ending.length > 1) return;
        if (found.length < 2) expect(meant).toBe(found[0]);
        else expect(found).toContain(meant);
      }),
    );
  });
});
