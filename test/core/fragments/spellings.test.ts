/** Misspelt words in an export: corrected as the whole index does, and nothing is loaded for others. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctSpelling } from '../../../src/core/query/correct-spelling.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { exported, files, LEXICON, requestOf, TINY, WHOLE, word } from '../../support/exported-index.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const typo = fc
  .tuple(
    word.map((each) => each.toLowerCase()),
    fc.nat(11),
    fc.constantFrom('', 'x', 'ta'),
  )
  .map(([right, at, put]) => right.slice(0, at + 1) + put + right.slice(at + 2));

test('corrects a word as the whole index does, among words with the same first letter', async () => {
  let corrected = 0;
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.array(fc.oneof(typo, word), { minLength: 1, maxLength: 3 }),
      async (given, typed) => {
        const index = memoryIndex(given);
        const cut = exported(index, TINY, 10);
        const parsed = parseQuery(typed.join(' '));
        const { retrieval, lexicon, query } = await cut.retrieval.prepare(parsed);
        const isStopWord = () => false;
        const ours = correctSpelling(query, { ...retrieval.words!, isWord: lexicon.knows, isStopWord });
        const whole = index.services.retrieval.words!;
        const theirs = correctSpelling(query, {
          ...{ countOf: whole.countOf, isStopWord, isWord: (each) => LEXICON.includes(each) },
          nearWords: (each, most) => whole.nearWords(each, most).filter((near) => near.word[0] === each[0]),
        });
        expect(ours).toEqual(theirs);
        const request = { ...requestOf(''), query: ours.query };
        const [found, wanted] = [
          await retrieval.retrieve(request),
          await index.services.retrieval.retrieve(request),
        ];
        expect(found.lanes.keyword!.best).toBeCloseTo(wanted.lanes.keyword!.best, 9);
        corrected += ours.corrections.length;
      },
    ),
    { numRuns: 100 },
  );
  expect(corrected).toBeGreaterThan(20);
});

test('loads nothing for spelling if all words are known', async () => {
  const cut = exported(
    memoryIndex([{ path: 'a.md', text: 'An apple, a wikilink in a garden.' }]),
    { ...WHOLE, words: 10_000 },
    10,
  );
  const loads = async (text: string) => {
    await cut.retrieval.prepare(parseQuery(text));
    return cut.loaded.filter((each) => each.startsWith('spellings')).length;
  };
  expect(await loads('wikilinks garden')).toBe(0);
  expect(await loads('a garde')).toBe(0);
  expect(await loads('wikilnk garden')).toBe(1);
  expect(await loads('wikilnk gradn')).toBe(2);
});
