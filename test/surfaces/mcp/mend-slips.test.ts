import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mendSlips } from '../../../src/surfaces/mcp/mend-slips.ts';

const SEARCH = ['query', 'top_n', 'mode', 'filters', 'parents', 'explain'];
const READ = ['document', 'start_line', 'end_line', 'max_chars'];
const LIST = ['filters', 'limit', 'cursor'];

test.each([
  [SEARCH, { query: 'a', limit: 3 }, { query: 'a', top_n: 3 }],
  [SEARCH, { q: 'a', k: 3 }, { query: 'a', top_n: 3 }],
  [SEARCH, { question: 'a', top_k: 3 }, { query: 'a', top_n: 3 }],
  [LIST, { top_n: 3 }, { limit: 3 }],
  [READ, { path: 'a.md' }, { document: 'a.md' }],
  [READ, { document_id: 'notes/a.md' }, { document: 'notes/a.md' }],
  [READ, { uri: 'docfuse://notes/a%20b.md' }, { document: 'notes/a b.md' }],
  [READ, { document: 'docfuse:/half' }, { document: 'docfuse:/half' }],
  [
    SEARCH,
    { query: 'a', filters: { tag: 'b', after: '7d', where: { status: 'done' } } },
    { query: 'a', filters: { tag: ['b'], after: '7d', where: { status: 'done' } } },
  ],
])('fields %j: %j means %j', (fields, given, meant) => {
  expect(mendSlips(given, fields)).toEqual(meant);
});

test.each([
  ['the right name is there too', { query: 'a', top_n: 3, limit: 5 }],
  ['nobody knows the name', { query: 'a', colour: 'red' }],
])('stays for the tool to refuse: %s', (_, given) => {
  expect(mendSlips(given, SEARCH)).toEqual(given);
});

test('what is right stays, whatever the values, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...READ, '__proto__', 'odd'), fc.integer()), (given) => {
      expect(mendSlips(given, READ)).toEqual(given);
    }),
  );
});
