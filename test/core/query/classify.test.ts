import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUERY_TYPES } from '../../../src/core/model/query.ts';
import { classify, isQuestion } from '../../../src/core/query/classify.ts';
import { growth, NOISY } from '../text/growth.ts';

describe('a query is', () => {
  it.each([
    ['getUserById', 'camelCase'],
    ['where is HttpResponseError thrown', 'camelCase'],
    ['toJSON', 'camelCase'],
    ['parse_json_data', 'snake_case'],
    ['what does __init__ do', 'snake_case'],
    ['why is `npm ci` slow?', 'backticks'],
    ['changes in v2', 'version number'],
    ['node 22.18', 'version number'],
    ['is 1.2.3 out?', 'version number'],
    ['Python 3.12 release.', 'version number'],
    ['crash in 2.0.0-rc.1', 'version number'],
    ['python 3.10 x86', 'version number'],
    ['look at v2.1', 'version number'],
    ['"exact phrase"', 'quoted phrase'],
    ['the “exact phrase” guide', 'quoted phrase'],
  ])('factual: %s', (text, reason) => {
    expect(classify(text)).toEqual({ type: 'factual', reason });
  });

  it.each([
    ['installation guide', 'word for a place in documents'],
    ['Where is the chapter on tokens?', 'word for a place in documents'],
    ['[[Meeting notes]]', 'wiki link'],
  ])('navigational: %s', (text, reason) => {
    expect(classify(text)).toEqual({ type: 'navigational', reason });
  });

  it.each([
    ['how do tokens rotate', 'question word'],
    ['token rotation?', 'question mark'],
    ['トークンの更新は？', 'question mark'],
    ['كيف أبدأ؟', 'question mark'],
    ['πώς ξεκινώ;', 'question mark'],
    ['¿cómo empiezo', 'question mark'],
    ['token rotation', undefined],
    ['', undefined],
  ])('exploratory: %s', (text, reason) => {
    expect(classify(text)).toEqual({ type: 'exploratory', reason });
  });

  it.each([
    ...['sign in with GitHub', 'iPhone', 'a growth of 2.5%', '2.5kg', 'homepages', '""', 'snake_'],
    ...[
      '1.5 million users',
      'the meeting at 14.30',
      '14.30 Uhr',
      'file of 2.5 GB',
      'costs $ 3.50',
      'on 31.12.2026',
    ],
  ])('not factual or navigational by what only looks like it: %s', (text) =>
    expect(classify(text).type).toBe('exploratory'),
  );
});

it.each([
  ['how to link notes', true],
  ['“Which page?', true],
  ['link notes?', true],
  ['is valid', false],
  ['note path', false],
  ['tell me how', false],
  ['', false],
])('whether %j is a question: %j', (text, expected) => expect(isQuestion(text)).toBe(expected));

it('every text has a type', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(QUERY_TYPES).toContain(classify(text).type);
    }),
  );
});

it('an identifier anywhere in a query makes it factual', () => {
  fc.assert(
    fc.property(fc.lorem(), fc.lorem(), (before, after) => {
      expect(classify(`${before} rotate_token ${after}`).type).toBe('factual');
    }),
  );
});

it.each([
  ['[', ''],
  ['word ', '"'],
  ['a', '"'],
  ['1.', ''],
  ['A', ''],
])('time grows in step with a query of repeated %j after %j', NOISY, (unit, before) => {
  expect(growth((text) => classify(before + text), unit)).toBeLessThan(4);
});
