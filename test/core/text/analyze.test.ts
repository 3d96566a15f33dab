import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/core/text/analyze.ts';
import { fold } from '../../../src/core/text/fold.ts';
import { stem } from '../../../src/core/text/stem.ts';
import { growth, NOISY } from './growth.ts';

/** Terms as `term@position`. */
function terms(text: string): string {
  const visited: string[] = [];
  analyze(text, (term, position) => visited.push(`${term}@${position}`));
  return visited.join(' ');
}

function roles(text: string): string {
  const visited: string[] = [];
  analyze(text, (term, _position, _start, _end, role) => visited.push(`${term}:${role}`));
  return visited.join(' ');
}

describe('words', () => {
  test('are folded and stemmed, stop words included', () => {
    expect(terms('The Cafés were RUNNING.')).toBe('the@0 cafe@1 were@2 run@3');
  });

  test('of one letter are left out but keep their place, languages excepted', () => {
    expect(terms('a plan b in C and R')).toBe('plan@1 in@3 c@4 and@5 r@6');
  });

  test('lose a possessive and keep other apostrophes out of the term', () => {
    expect(terms("boss's user's guide")).toBe(terms('boss user guide'));
    expect(terms('users’ user’s USER’S')).toBe('user@0 user@1 user@2');
    expect(terms("don't O’Reilly")).toBe('dont@0 oreilli@1');
    expect(terms("'quoted' it's'")).toBe('quot@0 it@1');
  });

  test('of other alphabets are folded and not stemmed', () => {
    expect(terms('Ёлка Αθήνας naïve Straße İstanbul مَدْرَسَة')).toBe(
      'елка@0 αθηνασ@1 naiv@2 strass@3 istanbul@4 مدرسه@5',
    );
  });

  test('are the same in every width, composition and with a soft hyphen', () => {
    for (const spelling of ['ｃａｆé', 'cafe\u0301', 'ca\u00adfé', 'CAFÉ'])
      expect(terms(spelling)).toBe('cafe@0');
  });
});

describe('compounds', () => {
  test.each([
    ['C++', 'c++@0'],
    ['C# F#', 'c#@0 f#@1'],
    ['C++20', 'c++20@0 c++@0 20@1'],
    ['.NET', '.net@0 net@0'],
    ['Node.js', 'node.js@0 node@0 js@1'],
    ['std::vector', 'std::vector@0 std@0 vector@1'],
    ['v1.2.3 V2.0 v2 ipv6', '1.2.3@0 1@0 2@1 3@2 2.0@3 2@3 0@4 v2@5 ipv6@6'],
    ['snake_case', 'snake_case@0 snake@0 case@1'],
    ['kebab-case', 'kebab-case@0 kebab@0 case@1'],
    ['camelCase', 'camelcas@0 camel@0 case@1'],
    ['getUserById', 'getuserbyid@0 get@0 user@1 by@2 id@3'],
    ['HTTPResponseError', 'httpresponseerror@0 http@0 respons@1 error@2'],
    ['JavaScript-based', 'javascript-based@0 javascript@0 java@0 script@1 base@2'],
    ['my_file-name.tar', 'my_file-name.tar@0 my_file-name@0 my@0 file@1 name@2 tar@3'],
    ['APIs IPv6', 'api@0 ipv6@1'],
    ['i++ x+=1 issue#12', '1@2 issu@3 12@4'],
  ])('%s', (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  test('written in lower case find the same term', () => {
    expect(terms('YouTube').split(' ')[0]).toBe(terms('youtube'));
  });

  test('do not reach over sentence ends, dashes and ellipses', () => {
    expect(terms('End. Next -- one... two -three')).toBe('end@0 next@1 one@2 two@3 three@4');
  });

  test('in addresses come apart at the slashes', () => {
    expect(terms('https://docs.example.com/guide/')).toBe(
      'https@0 docs.example.com@1 doc@1 exampl@2 com@3 guid@4',
    );
    expect(terms('jo.smith@mail.org')).toBe('jo.smith@0 jo@0 smith@1 mail.org@2 mail@2 org@3');
  });

  test('are told apart from wholes that have a part too short to be indexed', () => {
    expect(roles('well-known')).toBe('well-known:compound well:word known:word');
    expect(roles('x-ray')).toBe('x-ray:word ray:word');
  });

  test('are cut or left out when they are long', () => {
    expect(terms('f'.repeat(200))).toBe(`${'f'.repeat(64)}@0`);
    expect(terms(`${'f'.repeat(40)}-${'e'.repeat(40)}`)).toBe(`${'f'.repeat(40)}@0 ${'e'.repeat(40)}@1`);
    expect(terms('aGbHcJdKeLfMgNhPiQjRkSlT')).toBe('agbhcjdkelfmgnhpiqjrkslt@0');
  });
});

describe('unspaced scripts', () => {
  test('give pairs and single characters at consecutive positions', () => {
    expect(terms('日本語')).toBe('日本@0 日@0 本語@1 本@1 語@2');
    expect(terms('猫')).toBe('猫@0');
    expect(roles('日本 猫')).toBe('日本:word 日:character 本:character 猫:word');
  });

  test('are the same in half width and decomposed', () => {
    expect(terms('ｶﾞｷ')).toBe(terms('ガキ'));
    expect(terms('한글'.normalize('NFD'))).toBe(terms('한글'));
  });

  test('keep vowel signs with their letter', () => {
    expect(terms('ที่นี่')).toBe('ที่นี่@0 ที่@0 นี่@1');
  });

  test('end where another script begins', () => {
    expect(terms('C++语言2024年')).toBe('c++@0 语言@1 语@1 言@2 2024@3 年@4');
  });

  test('reach beyond the basic plane', () => {
    expect(terms('𠀀𠀁')).toBe('𠀀𠀁@0 𠀀@0 𠀁@1');
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(..."aB1_-.:+#'’日かﾞ\u0301😀 \ud800\udc00א\u200dC".split('')) }),
  fc
    .array(
      fc.constantFrom('getUser', 'snake_case', "it's", '日本語', 'é', '😀', '.NET', 'C++', ' ', '::', '\n'),
    )
    .map((pieces) => pieces.join('')),
);

test('tokens stay in order and inside any text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let [lastPosition, lastStart] = [0, 0];
      const count = analyze(text, (term, position, start, end) => {
        expect(term.length).toBeGreaterThan(0);
        expect(term.length).toBeLessThanOrEqual(128);
        expect(position).toBeGreaterThanOrEqual(lastPosition);
        expect(start).toBeGreaterThanOrEqual(lastStart);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        [lastPosition, lastStart] = [position, start];
      });
      expect(count).toBeGreaterThanOrEqual(lastPosition);
    }),
    { numRuns: 1000 },
  );
});

test('a word whose stem would be a single letter stands as it is', () => {
  const terms: string[] = [];
  analyze('The AED is here.', (term) => terms.push(term));
  expect(terms).toContain('aed');
});

test('the offsets of a simple word give back its spelling', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zé]{2,9}$/)),
      fc.constantFrom(' ', ', ', ' 😀 ', '\n'),
      (words, gap) => {
        const text = words.join(gap);
        const seen: string[] = [];
        analyze(text, (term, _position, start, end) => {
          seen.push(text.slice(start, end));
          const word = fold(text.slice(start, end));
          expect([stem(word), word]).toContain(term);
        });
        expect(seen).toEqual(words);
      },
    ),
  );
});

test.each([
  'a-',
  '(',
  'word-',
  'x',
  'aB',
  "a'",
  '_',
  'a_',
  'a::',
  '.a ',
  '日',
  '\u0301',
  'e\u0301',
  'c++',
  '\ud800',
])('time grows in step with the text on repeated %j', NOISY, (unit) => {
  expect(growth((text) => analyze(text, () => {}), unit)).toBeLessThan(4);
});

// Node 24 reads on behind the end of a slice once `codePointAt` is optimised.
test('a text that ends inside a character of two units ends there, however often it is read', () => {
  const whole = '𠀀'.repeat(30);
  let furthest = 0;
  for (let round = 0; round < 3_000; round++) {
    analyze(whole.slice(0, 41), (_term, _position, _start, end) => {
      furthest = Math.max(furthest, end);
    });
  }
  expect(furthest).toBe(40);
});
