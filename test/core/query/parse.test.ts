import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Phrase, QueryTerm } from '../../../src/core/model/query.ts';
import { codeQueryTerms, hasCodeSignal } from '../../../src/core/query/code.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { analyze } from '../../../src/core/text/analyze.ts';
import { growth, NOISY } from '../text/growth.ts';

/** `field:term*` for each. */
function show(terms: readonly QueryTerm[]): string {
  return terms
    .map(({ field, term, prefix }) => `${field ? `${field}:` : ''}${term}${prefix ? '*' : ''}`)
    .join(' ');
}

function showPhrases(phrases: readonly Phrase[]): string[] {
  return phrases.map(({ terms }) => terms.map(({ term, position }) => `${term}@${position}`).join(' '));
}

describe('words', () => {
  test('are one term each that counts them, without stop words, in the spelling typed first', () => {
    const query = parseQuery('How are the Scores scored?');
    expect(query.terms).toEqual([{ term: 'score', surface: 'Scores', prefix: false, count: 2 }]);
    expect(query.plain).toBe('How are the Scores scored?');
  });

  test('are all kept when they are nothing but stop words', () => {
    expect(show(parseQuery('to be or not to be').terms)).toBe('to be or not');
  });

  test('that are compounds are scored whole and in parts', () => {
    expect(show(parseQuery('std::vector well-known').terms)).toBe(
      'std::vector std vector well-known well known',
    );
  });

  test('of unspaced scripts are scored in pairs, or alone when they are one character', () => {
    expect(show(parseQuery('日本語 猫').terms)).toBe('日本 本語 猫');
  });

  test('leave nothing to embed when there is no letter or digit', () => {
    expect(parseQuery(' ?? * " — 😀').plain).toBe('');
  });
});

describe('phrases', () => {
  test('are required in order, stop words included, and scored', () => {
    const query = parseQuery('"state of the art" report');
    expect(showPhrases(query.phrases)).toEqual(['state@0 of@1 the@2 art@3']);
    expect(query.phrases[0]?.text).toBe('state of the art');
    expect(show(query.terms)).toBe('state of the art report');
    expect(query.plain).toBe('state of the art report');
  });

  test('take smart quotes', () => {
    expect(showPhrases(parseQuery('“two words” and „others“').phrases)).toEqual(['two@0 word@1', 'other@0']);
  });

  test('match either spelling of a compound', () => {
    expect(parseQuery('"well-known"').phrases[0]?.terms).toEqual(
      parseQuery('"well known"').phrases[0]?.terms,
    );
  });

  test('keep a compound whole when a part of it is not indexed', () => {
    expect(showPhrases(parseQuery('"X-ray release"').phrases)).toEqual(['x-ray@0 ray@1 releas@2']);
  });

  test('of one word require that word', () => {
    expect(showPhrases(parseQuery('"C++"').phrases)).toEqual(['c++@0']);
  });

  test('that are not closed, empty or inch marks are plain words', () => {
    for (const text of ['"open phrase', 'a 24" screen and 27" too', '"" word', '" "', '"—"']) {
      expect(parseQuery(text).phrases).toEqual([]);
    }
    expect(show(parseQuery('"open phrase').terms)).toBe('open phrase');
  });

  test('stand where the analysed text has them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('well-known', 'x-ray', 'getUserById', '日本語', 'a', "user's", 'C++', 'the', '😀'),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        (words) => {
          const text = words.join(' ');
          const places = new Set<string>();
          analyze(`before ${text} after`, (term, position) => places.add(`${term}@${position}`));
          for (const phrase of parseQuery(`"${text}"`).phrases) {
            const starts = [...Array(40).keys()];
            const found = starts.some((start) =>
              phrase.terms.every(({ term, position }) => places.has(`${term}@${position + start}`)),
            );
            expect(found).toBe(true);
          }
        },
      ),
    );
  });
});

describe('exclusions', () => {
  test('of words and phrases are neither scored nor embedded', () => {
    const query = parseQuery('foo -words -"not this"');
    expect(show(query.terms)).toBe('foo');
    expect(show(query.excludedTerms)).toBe('word');
    expect(showPhrases(query.excludedPhrases)).toEqual(['not@0 this@1']);
    expect(query.plain).toBe('foo');
  });

  test('of compounds take both spellings', () => {
    const query = parseQuery('foo -GitHub -node.js -c++');
    expect(show(query.excludedTerms)).toBe('github node.js c++');
    expect(showPhrases(query.excludedPhrases)).toEqual(['git@0 hub@1', 'node@0 js@1']);
  });

  test('alone leave nothing to score', () => {
    expect(parseQuery('-foo tag:x -author:y')).toMatchObject({
      terms: [],
      phrases: [],
      required: [],
      plain: '',
    });
  });
});

describe('fields', () => {
  test('become filters, negated or not', () => {
    const text =
      'tag:#a/b tag:c -tag:d path:docs/** -path:drafts author:"Jane Doe" -author:x category:Guide -category:y lang:TS';
    expect(parseQuery(text)).toMatchObject({
      terms: [],
      plain: '',
      filters: {
        tag: ['a/b', 'c'],
        notTag: ['d'],
        path: ['docs/**'],
        exclude: ['drafts'],
        author: ['Jane Doe'],
        notAuthor: ['x'],
        category: ['Guide'],
        notCategory: ['y'],
        lang: ['ts'],
      },
    });
  });

  test('of the title are scored there, required there and embedded', () => {
    const query = parseQuery('title:word title:"The Two words" -title:other guid*');
    expect(show(query.terms)).toBe('title:word title:the title:two guid*');
    expect(show(query.required)).toBe('title:word title:the title:two');
    expect(show(query.excludedTerms)).toBe('title:other');
    expect(query.plain).toBe('word The Two words guid');
  });

  test.each([
    'std::vector',
    'http://x.org',
    'C:\\x',
    '12:30',
    'note: this',
    'title: x',
    'tag:',
    'path::x',
    'foo:bar',
  ])('%s is no field', (text) => {
    expect(parseQuery(text)).toMatchObject({ filters: {}, required: [], plain: text });
  });
});

describe('prefixes', () => {
  test('are folded but not stemmed', () => {
    expect(parseQuery('Runnin*').terms).toEqual([{ term: 'runnin', surface: 'Runnin', prefix: true }]);
    expect(show(parseQuery('title:conf* -draft*').required)).toBe('title:conf*');
    expect(show(parseQuery('title:conf* -draft*').excludedTerms)).toBe('draft*');
  });

  test.each(['a*', '*', '**bold**', 'a*b', '日本*'])('%s is none', (text) => {
    expect(parseQuery(text).terms.filter(({ prefix }) => prefix)).toEqual([]);
  });
});

const queryText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '"',
        '-',
        '“',
        '*',
        ':',
        'tag:',
        'title:',
        '-path:',
        'word',
        'the',
        ' ',
        '日本',
        '(',
        '\ud800',
        '#',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
);

test('any text is a query', () => {
  fc.assert(
    fc.property(queryText, (text) => {
      const query = parseQuery(text);
      for (const phrase of [...query.phrases, ...query.excludedPhrases])
        expect(phrase.terms[0]?.position).toBe(0);
      expect(new Set(query.terms.map((term) => show([term]))).size).toBe(query.terms.length);
      codeQueryTerms(query.plain);
      hasCodeSignal(query.text);
    }),
    { numRuns: 2000 },
  );
});

test('a query without operators is embedded as typed', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}[?!,.]?$/), { minLength: 1 }), (words) => {
      expect(parseQuery(words.join(' ')).plain).toBe(words.join(' '));
    }),
  );
});

test.each(['"', '" ', '-"', 'a* ', '(', 'tag:', 'x'])(
  'time grows in step with a query of repeated %j',
  NOISY,
  (unit) => {
    expect(growth(parseQuery, unit)).toBeLessThan(4);
    expect(growth(hasCodeSignal, unit)).toBeLessThan(4);
  },
);

describe('code', () => {
  test('terms are identifiers whole and in parts, without stop words and unstemmed', () => {
    expect(show(codeQueryTerms('how to call getUserById or std::vector running'))).toBe(
      'call getuserbyid get user id std::vector std vector running',
    );
    expect(show(codeQueryTerms('if not'))).toBe('if not');
  });

  test.each([
    'getUserById fails',
    'HTTPServer',
    'parse_json_data',
    'what is `x`',
    'std::vector',
    'p->next',
    'call foo() twice',
    'f(x,y)',
    'a => b',
    'x == y',
    '__init__',
    'npm i --save-dev',
    '$HOME',
    '<div>',
    'xAxis label',
    'iOS getUserById',
    'iOS_version',
  ])('%s shows signs of code', (text) => {
    expect(hasCodeSignal(text)).toBe(true);
  });

  test.each([
    'How are scores calibrated?',
    'file(s) and class(es)',
    'APIs of NASA',
    'well-known 3.14 "phrase"',
    'C++',
    'iOS app',
    'pH of water, iPhones and macOS',
  ])('%s shows none', (text) => {
    expect(hasCodeSignal(text)).toBe(false);
  });
});

test.each([
  ['how does `x` work? -"draft only" tag:my_project', 'how does `x` work?'],
  ['“two words” title:"a b" path:docs/v1.2', '"two words" "a b"'],
  ['-gone', ''],
])('of %s is asked %s', (typed, asked) => {
  expect(parseQuery(typed).text).toBe(asked);
});
