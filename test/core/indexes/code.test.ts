import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCodeRetriever } from '../../../src/core/indexes/code.ts';
import type { PostingsTerm } from '../../../src/core/indexes/postings.ts';
import type { IndexEntry } from '../../../src/core/indexes/retriever.ts';
import { analyzeCode } from '../../../src/core/text/identifiers.ts';
import { contractId, retrieverContract } from '../../contracts/retriever-contract.ts';
import { naiveScore } from './naive-bm25f.ts';

retrieverContract('code', () => createCodeRetriever({ idOf: contractId, queryTerms: identifiers }));

describe('the code retriever', () => {
  test('finds identifiers whole and in parts, in code blocks only', () => {
    const retriever = createCodeRetriever({ idOf: String, queryTerms: identifiers });
    retriever.add([
      entry(0, 'prose about getUserById'),
      entry(1, 'x', 'getUserById(7)'),
      entry(2, 'x', 'return user'),
      entry(3, 'x', 'std::vector<int> v;'),
    ]);
    expect(search(retriever, 'getUserById')).toEqual([1, 2]);
    expect(search(retriever, 'vector')).toEqual([3]);
    expect(search(retriever, 'std::vector')).toEqual([3]);
    expect(search(retriever, 'prose')).toEqual([]);
  });

  test('only chunks with code count in its statistics', () => {
    const few = createCodeRetriever({ idOf: String, queryTerms: identifiers });
    few.add([entry(0, 'x', 'alpha beta'), entry(1, 'x', 'beta')]);
    const many = createCodeRetriever({ idOf: String, queryTerms: identifiers });
    many.add([entry(0, 'x', 'alpha beta'), entry(1, 'x', 'beta'), entry(2, 'prose'), entry(3, 'prose')]);
    expect(ranking(many, 'alpha beta').entries).toEqual(ranking(few, 'alpha beta').entries);
  });

  test('a score is BM25 over the words of all code blocks of a chunk, whatever stands beside them', () => {
    const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), {
      minLength: 1,
      maxLength: 5,
    });
    const blocks = fc.array(words, { maxLength: 3 });
    const asked = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'omega'), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 8 }), asked, (chunks, terms) => {
        const retriever = createCodeRetriever({ idOf: String, queryTerms: identifiers });
        retriever.add(
          chunks.map((each, slot) => entry(slot, 'alpha beta', ...each.map((block) => block.join(' ')))),
        );
        const holding = new Map(
          [...chunks.entries()].flatMap(([slot, each]) => (each.length > 0 ? [[slot, [each.flat()]]] : [])),
        );
        const { scoreOf, entries } = ranking(retriever, terms.join(' '));
        const expected = terms.map((term) => ({ term, prefix: false }));
        const fields = [{ name: 'code', weight: 1, b: 0.75 }];
        for (const slot of chunks.keys()) {
          const score = holding.has(slot) ? naiveScore(holding, fields, 1.2, expected, slot).score : 0;
          expect(scoreOf(slot)).toBeCloseTo(score, 9);
          expect(entries.some((each) => each.slot === slot)).toBe(score > 0);
        }
      }),
    );
  });

  test('an identifier is found by its whole name, by its parts, and by each of them', () => {
    const part = fc.stringMatching(/^[a-z]{3,8}$/);
    const style = fc.constantFrom(
      (parts: readonly string[]) => parts.join('_'),
      (parts: readonly string[]) => parts.join('::'),
      ([first, ...rest]: readonly string[]) =>
        first + rest.map((each) => each[0]!.toUpperCase() + each.slice(1)).join(''),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), style, (parts, join) => {
        const retriever = createCodeRetriever({ idOf: String, queryTerms: identifiers });
        retriever.add([
          entry(0, 'x', `${join(parts)}(7)`),
          entry(1, 'x', '0 + 0'),
          entry(2, parts.join(' ')),
        ]);
        for (const query of [join(parts), parts.join(' '), ...parts])
          expect(search(retriever, query)).toEqual([0]);
      }),
    );
  });

  test('a slot whose new text has no code leaves the index', () => {
    const retriever = createCodeRetriever({ idOf: String, queryTerms: identifiers });
    expect(retriever.add([entry(0, 'x', 'alpha')])).toBeDefined();
    expect(retriever.add([entry(0, 'x')])).toBeUndefined();
    expect(search(retriever, 'alpha')).toEqual([]);
  });

  test('takes the terms of a query from the parser it is given', () => {
    const retriever = createCodeRetriever({
      idOf: String,
      queryTerms: () => [{ term: 'beta', prefix: false }],
    });
    retriever.add([entry(0, 'x', 'alpha'), entry(1, 'x', 'beta')]);
    expect(search(retriever, 'alpha')).toEqual([1]);
  });
});

function entry(slot: number, text: string, ...code: readonly string[]): IndexEntry {
  const codeBlocks = code.map((block) => ({ language: '', text: block, startLine: 1, endLine: 1 }));
  const chunk = { id: slot.toString(16).padStart(13, '0'), text, headingPath: [''], codeBlocks };
  return { slot, chunk, document: { title: '', keywords: [], tags: [], aliases: [] } };
}

/** Every identifier of a query, whole and split, once. */
function identifiers(text: string): readonly PostingsTerm[] {
  const terms = new Set<string>();
  analyzeCode(text, (term) => void terms.add(term));
  return Array.from(terms, (term) => ({ term, prefix: false }));
}

function ranking(retriever: ReturnType<typeof createCodeRetriever>, text: string) {
  const none = {
    terms: [],
    words: [],
    phrases: [],
    required: [],
    excludedTerms: [],
    excludedPhrases: [],
    filters: {},
  };
  return retriever.search({ parsed: { text, plain: text, ...none } }, 10);
}

function search(retriever: ReturnType<typeof createCodeRetriever>, text: string): readonly number[] {
  return ranking(retriever, text).entries.map(({ slot }) => slot);
}
