/** Words of a query that are written apart elsewhere: which are, and what stays whole. */
import { describe, expect, it } from 'vitest';
import type { PhraseTerms } from '../../../src/core/model/query.ts';
import { splitWords } from '../../../src/core/query/name-forms.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';
import { isStopWord } from '../../../src/core/text/stopwords.ts';
import { memoryIndex } from '../../support/memory-services.ts';

/** Passages with a term, and with two that are adjacent. */
const WORDS: Readonly<Record<string, number>> = {
  front: 9,
  matter: 9,
  frontmatt: 4,
  data: 90,
  base: 80,
  databas: 100,
  set: 50,
  up: 50,
  with: 99,
  in: 99,
};
const PAIRS: Readonly<Record<string, number>> = {
  'front matter': 6,
  'data base': 20,
  'set up': 8,
  'data set': 3,
  'with in': 70,
};
const countOf = (term: string) => WORDS[term] ?? 0;
const countOfPhrase = (terms: PhraseTerms) => PAIRS[terms.map(({ term }) => term).join(' ')] ?? 0;
const split = (text: string) =>
  splitWords(parseQuery(text), { countOf, countOfPhrase, isStopWord }).terms.flatMap(({ variants = [] }) =>
    variants.map((phrase) => phrase.map(({ term }) => term).join(' ')),
  );

describe('splitWords', () => {
  it.each([
    ['frontmatter', ['front matter']],
    ['Frontmatter of datasets', ['front matter', 'data set']],
    ['front matter', []],
    ['setup', []],
    ['within', []],
    ['frontMatter front* title:frontmatter', []],
    ['-frontmatter base', []],
    ['database', []],
  ])('of %j finds %j', (text, phrases) => {
    expect(split(text)).toEqual(phrases);
  });

  it('counts the parts once, however many languages agree on them, and never for more than the word', () => {
    const { keyword } = memoryIndex(
      ['The front matter of it.', 'The frontmatter of it so.', 'Sheep.'].map((text, index) => ({
        path: `${index}.md`,
        text,
      })),
    ).parts;
    const scores = [1, 2, 3].map((languages) => {
      const analyzers = Array.from({ length: languages }, () => AUTO_ANALYZER);
      const parsed = splitWords(
        parseQuery('frontmatter'),
        { countOf: keyword.countOf, countOfPhrase: keyword.countOfPhrase, isStopWord },
        analyzers,
      );
      expect(parsed.terms[0]?.variants).toHaveLength(1);
      const { scoreOf } = keyword.search({ parsed }, 3);
      return [scoreOf(0), scoreOf(1)] as const;
    });
    for (const [apart, together] of scores) {
      expect(apart).toBeGreaterThan(0);
      expect(apart).toBeLessThanOrEqual(together);
    }
  });

  it('keeps the query as it is but for the variants', () => {
    const query = parseQuery('"frontmatter" of database');
    const { terms, ...rest } = splitWords(query, { countOf, countOfPhrase, isStopWord });
    const { terms: own, ...others } = query;
    expect(rest).toEqual(others);
    expect(terms.map(({ variants: _, ...term }) => term)).toEqual(own);
    expect(
      splitWords(parseQuery('database'), { countOf, countOfPhrase, isStopWord }).terms[0],
    ).not.toHaveProperty('variants');
  });
});
