/** Synonyms in a query: how many, of which words, and what they must leave alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { addSynonyms } from '../../../src/core/query/synonyms.ts';

const WORDS: Readonly<Record<string, readonly string[]>> = {
  car: ['auto', 'automobile', 'machine'],
  fast: ['quick', 'rapid'],
  repair: ['fix', 'auto', 'well-known', 'the'],
};
const synonymsOf = (word: string) => WORDS[word.toLowerCase()] ?? [];
const added = (text: string) =>
  addSynonyms(parseQuery(text), synonymsOf, 0.3)
    .terms.filter((term) => term.standsFor !== undefined)
    .map((term) => term.surface);

describe('addSynonyms', () => {
  it('adds the first two of each word, down-weighted, after the words themselves', () => {
    const { terms } = addSynonyms(parseQuery('Car'), synonymsOf, 0.3);
    expect(terms).toEqual([
      { term: 'car', surface: 'Car', prefix: false },
      { term: 'auto', surface: 'auto', prefix: false, weight: 0.3, standsFor: ['car'] },
      { term: 'automobil', surface: 'automobile', prefix: false, weight: 0.3, standsFor: ['car'] },
    ]);
  });

  it('leaves out what the query says, what another word brought, stop words and compounds', () => {
    expect(added('car autos')).toEqual(['automobile', 'machine']);
    expect(added('car repair')).toEqual(['auto', 'automobile', 'fix']);
  });

  it('leaves prefixes and words in fields alone', () => {
    expect(added('car* title:fast')).toEqual([]);
  });

  it('changes nothing but the scored terms, and those only at the end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('car', 'fast', 'repair', 'x', '"car fast"', '-car')), (words) => {
        const query = parseQuery(words.join(' '));
        const { terms, ...rest } = addSynonyms(query, synonymsOf, 0.3);
        const { terms: own, ...others } = query;
        expect(rest).toEqual(others);
        expect(terms.slice(0, own.length)).toEqual(own);
        expect(terms.length).toBeLessThanOrEqual(3 * own.length);
        expect(new Set(terms.map((term) => `${term.field} ${term.term}`)).size).toBe(terms.length);
      }),
    );
  });
});
