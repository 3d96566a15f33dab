/** Definitions of short forms: which are found, and what only looks like one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAcronyms } from '../../../src/core/indexes/acronyms.ts';

const found = (text: string) => findAcronyms(text).map(({ short, long }) => `${short} = ${long}`);

describe('findAcronyms', () => {
  it.each([
    ['Write an Architecture Decision Record (ADR) for it.', ['ADR = Architecture Decision Record']],
    ['Write an ADR (architecture decision record) for it.', ['ADR = architecture decision record']],
    ['the **Request for Comments** (RFCs)', ['RFC = Request for Comments']],
    ['We use single-threaded apartments (STA).', ['STA = single-threaded apartments']],
    ['It is a Portable Network\nGraphics (`PNG`) file', ['PNG = Portable Network Graphics']],
    ['TTL (time\nto live)', ['TTL = time to live']],
    ['TTL (time\n \nto live)', []],
    ['In low unit cost. Virtual machine (VM)', ['VM = Virtual machine']],
    ['for user. Interface (UI)', []],
    ['a (NASA) and space administration', []],
    ['The value (API) is set', []],
    ['see the appendix (e.g. there)', []],
    ['the parser (Parser)', []],
    ['the language (HTML)', []],
    ['OR (or a bitwise combination)', []],
    ['BSTR (bstr.value = s)', []],
    ['| Graphics | Interface (GI)', []],
    ['a call(GUI) of general user interest', []],
    ['(', []],
  ])('in %j are %j', (text, definitions) => {
    expect(found(text)).toEqual(definitions);
  });

  it('gives words of the text, at least two, whose first letter is that of the short form', () => {
    const part = fc.constantFrom(
      'Ada ',
      'bar ',
      'Cee-',
      'ABC',
      '(',
      ')',
      ' (AB) ',
      '(ABC)',
      '. ',
      '|',
      '\n',
      '**',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const plain = text.replaceAll('*', '').replaceAll(/\s+/g, ' ');
        for (const { short, long } of findAcronyms(text)) {
          expect(plain).toContain(long);
          expect(text).toContain(short);
          expect(long).toMatch(/\S \S/);
          expect(long[0]?.toLowerCase()).toBe(short[0]?.toLowerCase());
        }
      }),
    );
  });
});
