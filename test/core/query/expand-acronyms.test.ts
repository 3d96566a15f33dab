/** Short forms and long forms in a query: which find each other, and what adds nothing. */
import { describe, expect, it } from 'vitest';
import { loadAnalyzer } from '../../../src/adapters/languages/load-analyzers.ts';
import { expandAcronyms } from '../../../src/core/query/name-forms.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';

const LONG: Readonly<Record<string, readonly string[]>> = {
  adr: ['architectur decis record'],
  ui: ['user interfac', 'user interact', 'usual income'],
  plan: ['public librari access network'],
};
const adjacent = (words: string) => words.split(' ').map((term, position) => ({ term, position }));
const GERMAN = 'allgemein geschaftsbeding';
const known = {
  longFormsOf: (term: string) => (LONG[term] ?? []).map(adjacent),
  shortFormsOf: (terms: readonly string[]) =>
    Object.keys(LONG).filter((short) => LONG[short]!.includes(terms.join(' '))),
  isWord: (word: string) => word === 'plan',
};
const expand = (text: string) => expandAcronyms(parseQuery(text), known).terms;
const phrases = (text: string) =>
  expand(text).flatMap(({ variants = [] }) =>
    variants.map((phrase) => phrase.map(({ term }) => term).join(' ')),
  );
const added = (text: string) => expand(text).filter(({ standsFor }) => standsFor !== undefined);

describe('expandAcronyms', () => {
  it.each([
    ['ADR template', ['architectur decis record']],
    ['adr template', ['architectur decis record']],
    ['UI', ['user interfac', 'user interact']],
    ['plan of PLAN', []],
    ['a plan', []],
    ['Plan the work', []],
    ['PLAN', ['public librari access network']],
    ['ADR (architecture decision record)', []],
    ['adr* title:ADR', []],
  ])('%j also finds %j', (text, longForms) => {
    expect(phrases(text)).toEqual(longForms);
  });

  it('adds the short form of a long one, which stands for its words', () => {
    expect(added('old architecture decision records')).toEqual([
      {
        term: 'adr',
        surface: 'architecture decision records',
        prefix: false,
        standsFor: ['architectur', 'decis', 'record'],
      },
    ]);
  });

  it('finds a long form by its terms in any of the languages', async () => {
    const analyzers = [AUTO_ANALYZER, await loadAnalyzer('de')];
    const german = {
      ...known,
      shortFormsOf: (terms: readonly string[]) => (terms.join(' ') === GERMAN ? ['agb'] : []),
    };
    const { terms } = expandAcronyms(
      parseQuery('allgemeine Geschäftsbedingungen', analyzers),
      german,
      analyzers,
    );
    expect(terms.at(-1)).toMatchObject({ term: 'agb', standsFor: GERMAN.split(' ') });
    const saidSo = parseQuery('AGB allgemeine Geschäftsbedingungen', analyzers);
    expect(expandAcronyms(saidSo, german, analyzers)).toBe(saidSo);
  });

  it.each([
    'decision record',
    'architecture decision records ADR',
    'one two three four five six architecture decision record',
  ])('adds nothing to “%s”', (text) => {
    expect(added(text)).toEqual([]);
  });
});
