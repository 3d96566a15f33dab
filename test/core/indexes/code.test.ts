import { describe, expect, test } from 'vitest';
import { createCodeRetriever } from '../../../src/core/indexes/code.ts';
import type { IndexEntry } from '../../../src/core/indexes/retriever.ts';
import { retrieverContract } from '../../contracts/retriever-contract.ts';

retrieverContract('code', () => createCodeRetriever());

describe('the code retriever', () => {
  test('finds identifiers whole and in parts, in code blocks only', () => {
    const retriever = createCodeRetriever();
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
    const few = createCodeRetriever();
    few.add([entry(0, 'x', 'alpha beta'), entry(1, 'x', 'beta')]);
    const many = createCodeRetriever();
    many.add([entry(0, 'x', 'alpha beta'), entry(1, 'x', 'beta'), entry(2, 'prose'), entry(3, 'prose')]);
    expect(ranking(many, 'alpha beta').entries).toEqual(ranking(few, 'alpha beta').entries);
  });

  test('a slot whose new text has no code leaves the index', () => {
    const retriever = createCodeRetriever();
    expect(retriever.add([entry(0, 'x', 'alpha')])).toBeDefined();
    expect(retriever.add([entry(0, 'x')])).toBeUndefined();
    expect(search(retriever, 'alpha')).toEqual([]);
  });

  test('takes the terms of a query from the parser it is given', () => {
    const retriever = createCodeRetriever({ queryTerms: () => [{ term: 'beta', prefix: false }] });
    retriever.add([entry(0, 'x', 'alpha'), entry(1, 'x', 'beta')]);
    expect(search(retriever, 'alpha')).toEqual([1]);
  });
});

function entry(slot: number, text: string, ...code: readonly string[]): IndexEntry {
  const codeBlocks = code.map((block) => ({ language: '', text: block, startLine: 1, endLine: 1 }));
  const chunk = { id: slot.toString(16).padStart(13, '0'), text, headingPath: [''], codeBlocks };
  return { slot, chunk, document: { title: '', keywords: [], tags: [], aliases: [] } };
}

function ranking(retriever: ReturnType<typeof createCodeRetriever>, text: string) {
  const none = { terms: [], phrases: [], required: [], excludedTerms: [], excludedPhrases: [], filters: {} };
  return retriever.search({ parsed: { text, plain: text, ...none } }, 10);
}

function search(retriever: ReturnType<typeof createCodeRetriever>, text: string): readonly number[] {
  return ranking(retriever, text).entries.map(({ slot }) => slot);
}
