import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeCode } from '../../../src/core/text/identifiers.ts';
import { growth, NOISY } from './growth.ts';

function terms(text: string): string {
  const visited: string[] = [];
  analyzeCode(text, (term) => visited.push(term));
  return visited.join(' ');
}

describe('identifiers', () => {
  test.each([
    ['getUserById', 'getuserbyid get user by id'],
    ['HTTPResponseError', 'httpresponseerror http response error'],
    ['parse_json_data', 'parse_json_data parse json data'],
    ['std::vector', 'std::vector std vector'],
    ['C++', 'c++'],
    ['C#', 'c#'],
    ['myVar123', 'myvar123 my var 123'],
    ['node->next', 'node->next node next'],
    ['std::string_view', 'std::string_view std string_view string view'],
    ['__init__', '__init__ init'],
    ['MAX_SIZE', 'max_size max size'],
    ['foo.bar(baz)', 'foo bar baz'],
    ['count++; i++;', 'count'],
    ['#include <vector>', 'include vector'],
    ['running tests', 'running tests'],
  ])('%s', (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  test('have their parts at consecutive positions and the whole at the first', () => {
    const positions: number[] = [];
    expect(analyzeCode('getUserById x', (_term, position) => positions.push(position))).toBe(5);
    expect(positions).toEqual([0, 0, 1, 2, 3]);
  });

  test('do not come apart into noise when they are hashes', () => {
    expect(terms('3f2a9c8b7d6e5f4a3b2c1d0e')).toBe('3f2a9c8b7d6e5f4a3b2c1d0e');
  });
});

test('offsets stay in order and inside any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ09_:->+#c日\u0301 '.split('')) }), (text) => {
      let last = 0;
      analyzeCode(text, (_term, _position, start, end) => {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(start).toBeGreaterThanOrEqual(last);
        last = start;
      });
    }),
    { numRuns: 1000 },
  );
});

test.each(['a_', 'a::', 'a->', '_', 'aB1', 'c++', '日'])(
  'time grows in step with the text on repeated %j',
  NOISY,
  (unit) => {
    expect(growth((text) => analyzeCode(text, () => {}), unit)).toBeLessThan(4);
  },
);
