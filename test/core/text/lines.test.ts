/** Lines and blank space. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexLines, isBlank, normalizeLineEnds, trimSpan } from '../../../src/core/text/lines.ts';

describe('lines', () => {
  it('break at CRLF, CR and LF, and nowhere else', () => {
    expect(normalizeLineEnds('a\r\nb\rc\n\rd\u2028\f')).toBe('a\nb\nc\n\nd\u2028\f');
  });

  it('agree with splitting at line feeds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', 'é', '\u2028')), (parts) => {
        const text = parts.join('');
        const index = indexLines(text);
        expect(index.count).toBe(text.split('\n').length);
        for (let at = 0; at <= text.length; at++)
          expect(index.lineAt(at)).toBe(text.slice(0, at).split('\n').length - 1);
        for (let line = 0; line < index.count; line++) expect(index.lineAt(index.startOf(line))).toBe(line);
        expect(index.startOf(index.count)).toBe(text.length);
      }),
    );
  });
});

describe('blank space', () => {
  it('is what trim takes off', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => unit);
    const differ = units.filter((unit) => isBlank(unit) !== (String.fromCharCode(unit).trim() === ''));
    expect(differ).toEqual([]);
  });

  it('is left out at both ends of a span', () => {
    expect(trimSpan('x  ab \n', 1, 7)).toEqual([3, 5]);
    expect(trimSpan('    ', 1, 3)).toEqual([1, 1]);
  });
});
