import { describe, expect, it } from 'vitest';
import { manyLines, oneLine, oneLineOfHtml, safeJson } from '../../../src/core/text/one-line.ts';

it.each([
  ['two\nlines\r.md', 'two␊lines␍.md', 'two\nlines␍.md'],
  ['a\r\nb\tc', 'a␍␊b␉c', 'a\nb\tc'],
  ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m', '␛[31mred␛[0m'],
  ['\u001b]8;;http://x\u0007link', '␛]8;;http://x␇link', '␛]8;;http://x␇link'],
  ['\u009b31m\u0085\u007f\0', '\\u009b31m\\u0085\\u007f␀', '\\u009b31m\\u0085\\u007f␀'],
  ['a\u2028b\u2029c', 'a\\u2028b\\u2029c', 'a\\u2028b\\u2029c'],
  ['safe \u202etxt.exe', 'safe \\u202etxt.exe', 'safe txt.exe'],
  ['\u200e\u200f\u061c\u2066x\u2069', '\\u200e\\u200f\\u061c\\u2066x\\u2069', 'x'],
  ['Dampf\u00adschiff\ufeff', 'Dampf\\u00adschiff\\ufeff', 'Dampfschiff'],
  ['hi\u{e0041}\u{e0042}', 'hi\\U000e0041\\U000e0042', 'hi'],
  ['a\ufff9b\ufffac\ufffb', 'a\\ufff9b\\ufffac\\ufffb', 'abc'],
  ['half \ud800', 'half \\ud800', 'half \\ud800'],
  ['a\u200d\u200db \u200cc', 'a\\u200d\\u200db \\u200cc', 'ab c'],
  ['x\ufe0f\ufe0e\u{e0100}', 'x\ufe0f\\ufe0e\\U000e0100', 'x\ufe0f'],
])('%j is %j on one line, %j on many', (text, one, many) => {
  expect([oneLine(text), manyLines(text)]).toEqual([one, many]);
});

it.each([
  ['emoji', '🙂 👨‍👩‍👧 👩🏽‍⚕️ ❤️‍🔥 🏳️‍🌈 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['joiners inside words', 'می‌خواهم क्‍ष Auf‌lage'],
  ['variants of letters', '葛\u{e0100}城 ᠠ᠋'],
  ['signs that are format characters by name alone', '\u0600١٢ \u06dd \u{13430}'],
  ['right-to-left letters', 'שלום مرحبا'],
  ['other scripts', '漢字 한글 ไทย ខ្មែរ e\u0301'],
])('%s stay', (_, text) => {
  expect([oneLine(text), manyLines(text), JSON.parse(safeJson(text))]).toEqual([text, text, text]);
});

it('HTML shows signs of markup as such', () => {
  expect(oneLineOfHtml(`<a href="x">'\n&`)).toBe('&#60;a href=&#34;x&#34;&#62;&#39;␊&#38;');
});

describe('every character of every kind that could break, reorder or hide text', () => {
  /** Visible signs that Unicode calls format characters. */
  const STAYS = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;
  /** They stay where a script or an emoji needs them. */
  const BELONGS = /\u200c|\u200d|\p{Variation_Selector}/u;
  const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  const all = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
  const unsafe = all.filter((sign) => UNSAFE.test(sign) && !STAYS.test(sign));
  const lines = (text: string) => text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u).length;

  it('is shown on one line, or belongs to its neighbour', () => {
    expect(unsafe.length).toBeGreaterThan(4_000);
    for (const sign of unsafe) {
      expect(UNSAFE.test(oneLine(`${sign}${sign} ${sign}.`)), codeOf(sign)).toBe(false);
      const inside = oneLine(`a${sign}b漢${sign}字`);
      if (!BELONGS.test(sign)) expect(UNSAFE.test(inside), codeOf(sign)).toBe(false);
      expect([lines(inside), oneLine(inside)], codeOf(sign)).toEqual([1, inside]);
      expect(oneLine(sign), codeOf(sign)).not.toBe('');
    }
  });

  it('is shown or left out on many lines, but line feed and tab', () => {
    for (const sign of unsafe) {
      const shown = manyLines(`${sign}${sign} ${sign}.`);
      if (sign !== '\n' && sign !== '\t') expect(UNSAFE.test(shown), codeOf(sign)).toBe(false);
      expect(lines(shown), codeOf(sign)).toBe(sign === '\n' ? 4 : 1);
    }
  });

  it('is an escape in HTML and in JSON, which says the same', () => {
    for (const sign of unsafe) {
      expect(UNSAFE.test(oneLineOfHtml(` ${sign}${sign}`)), codeOf(sign)).toBe(false);
      const json = safeJson({ [` ${sign}`]: 1 });
      expect(UNSAFE.test(json), codeOf(sign)).toBe(false);
      expect(JSON.parse(json), codeOf(sign)).toEqual({ [` ${sign}`]: 1 });
    }
  });

  it('others stay what they are', () => {
    for (const sign of all) {
      if (UNSAFE.test(sign) && !STAYS.test(sign)) continue;
      if (oneLine(sign) !== sign || manyLines(sign) !== sign) expect(codeOf(sign)).toBe('unchanged');
    }
  });

  function codeOf(sign: string): string {
    return `U+${sign.codePointAt(0)!.toString(16)}`;
  }
});
