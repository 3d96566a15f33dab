/** Names that neighbouring words make together: which are looked up, and what stays as it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinWords } from '../../../src/core/query/name-forms.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';

const HELD = new Set(['notepath', 'get_user', 'pre-process', 'preprocess', 'getus']);
const countOf = (term: string) => (HELD.has(term) ? 1 : 0);
const added = (text: string) =>
  joinWords(parseQuery(text), countOf).terms.flatMap(({ term, standsFor }) =>
    standsFor === undefined ? [] : [term],
  );

describe('joinWords', () => {
  it.each([
    ['the note path', ['notepath']],
    ['Pre processing', ['preprocess']],
    ['get user', ['getus', 'get_user']],
    ['pre-processing', ['preprocess']],
    ['get-user', ['getus', 'get_user']],
    ['get--user get.user', []],
    ['user get', []],
    ['notepath note path', []],
    ['note, path', []],
    ['-note path', []],
    ['note2 path', []],
    ['one two three four five six note path', ['notepath']],
    ['one two three four five six seven note path', []],
  ])('of %j makes %j', (text, names) => {
    expect(added(text)).toEqual(names);
  });

  it('keeps the query and adds at the end, each name once, for neither coverage nor bound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('note', 'path', 'get', 'user', '"note path"', '-get')),
        (words) => {
          const query = parseQuery(words.join(' '));
          const { terms, ...rest } = joinWords(query, countOf);
          const { terms: own, ...others } = query;
          expect(rest).toEqual(others);
          expect(terms.slice(0, own.length)).toEqual(own);
          for (const term of terms.slice(own.length))
            expect([term.weight, term.standsFor?.length, HELD.has(term.term)]).toEqual([
              undefined,
              term.surface.split(' ').length,
              true,
            ]);
          expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
        },
      ),
    );
  });
});
