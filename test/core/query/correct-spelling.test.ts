/** Misspelt words of a query: which are read as others, and what is left alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctSpelling, type Spelling } from '../../../src/core/query/correct-spelling.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { stem } from '../../../src/core/text/stem.ts';
import { isStopWord } from '../../../src/core/text/stopwords.ts';

/** Words of the collection near one that is typed, by number of slips. */
const NEAR: Readonly<Record<string, readonly (readonly [word: string, slips: number])[]>> = {
  calender: [
    ['calendar', 1],
    ['calenders', 1],
    ['lender', 2],
  ],
  encrpytoin: [['encryption', 2]],
  reformulation: [['formulation', 2]],
  becuase: [['because', 1]],
  thier: [
    ['their', 1],
    ['tier', 1],
  ],
  chain: [['chair', 1]],
  wann: [['dann', 1]],
  haus: [['aus', 1]],
  iguration: [['figuration', 1]],
  sarch: [
    ['search', 1],
    ['starch', 1],
    ['sarah', 1],
    ['scarch', 1],
    ['arch', 1],
  ],
};
const SPELLING: Spelling = {
  countOf: (term) => (['token', 'rotat'].includes(term) ? 3 : 0),
  nearWords: (word, most) =>
    (NEAR[word] ?? [])
      .filter(([, slips]) => slips <= most)
      .map(([near, slips]) => ({ word: near, term: stem(near), slips })),
  isWord: (word) => word === 'chain',
  isStopWord,
};
const correct = (text: string) => correctSpelling(parseQuery(text), SPELLING);
const spellings = (text: string) => correct(text).query.terms.map((term) => term.spellings);

describe('correctSpelling', () => {
  it('reads a word that occurs nowhere as those with the fewest slips, and embeds the likeliest', () => {
    const { query, corrections } = correct('Rotate the Calender token');
    expect(query.terms.map(({ spellings: own }) => own)).toEqual([
      undefined,
      { terms: ['calendar', 'calend'], share: 0.9 },
      undefined,
    ]);
    expect(query.plain).toBe('Rotate the calendar token');
    expect(corrections).toEqual([{ typed: 'Calender', read: 'calendar' }]);
  });

  it('lets short words keep their first letter: another one is mostly another word', () => {
    expect(spellings('wann')).toEqual([undefined]);
    expect(spellings('Haus')).toEqual([undefined]);
    expect(correct('iguration').corrections).toEqual([{ typed: 'iguration', read: 'figuration' }]);
  });

  it('lets two slips count less, from eight letters on and from the first letter, and embeds what was typed', () => {
    const { query, corrections } = correct('encrpytoin');
    expect(query.terms[0]?.spellings).toEqual({ terms: ['encrypt'], share: 0.5 });
    expect([query.plain, corrections]).toEqual(['encrpytoin', []]);
    expect(spellings('reformulation')).toEqual([undefined]);
  });

  it('takes at most three, all with the first letter of the likeliest', () => {
    expect(spellings('sarch')).toEqual([{ terms: ['search', 'starch', 'sarah'], share: 0.9 }]);
  });

  it('lets a misspelt stop word count for nothing, and embeds it', () => {
    expect(correct('becuase').query).toMatchObject({ plain: 'because', terms: [{ term: 'becuas' }] });
    expect(spellings('becuase token')).toEqual([undefined, undefined]);
    expect(spellings('thier')).toEqual([{ terms: ['tier'], share: 0.9 }]);
  });

  it.each([
    ['a word of the language', 'chain'],
    ['a demanded phrase', '"calender"'],
    ['a prefix', 'calender*'],
    ['a word for a field', 'title:calender'],
    ['a name with humps', 'calEnder'],
    ['a short name in capitals', 'SARCH'],
    ['an excluded word', 'token -calender'],
    ['a word with a digit', 'calender7'],
  ])('leaves %s alone', (_, text) => {
    const { query, corrections } = correct(text);
    expect(query.terms.every((term) => term.spellings === undefined)).toBe(true);
    expect(corrections.filter(({ typed }) => typed === text)).toEqual([]);
  });

  it('changes nothing when every word is known, and never the words, their order or the syntax', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('token', 'chain', '-calender', 'tag:x', 'calender*')), (words) => {
        const query = parseQuery(words.join(' '));
        expect(correctSpelling(query, SPELLING).query).toBe(query);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.keys(NEAR), 'token', '-x', '"a b"')), (words) => {
        const query = parseQuery(words.join(' '));
        const { terms, plain: _, ...rest } = correctSpelling(query, SPELLING).query;
        const { terms: own, plain: __, ...others } = query;
        expect(rest).toEqual(others);
        expect(terms.map(({ spellings: ___, ...term }) => term)).toEqual(own);
      }),
    );
  });
});
