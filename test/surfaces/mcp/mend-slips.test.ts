import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mendSlips } from '../../../src/surfaces/mcp/mend-slips.ts';
import { toolInput } from '../../../src/surfaces/mcp/tools.ts';
import { listDocuments } from '../../../src/surfaces/operations/list.ts';
import { readDocument } from '../../../src/surfaces/operations/read-document.ts';
import { search, searchWithHypothesis } from '../../../src/surfaces/operations/search.ts';

const TOOLS = { search, readDocument, listDocuments, searchWithHypothesis };
const inputOf = (tool: keyof typeof TOOLS) => toolInput(TOOLS[tool]);
const READ = ['document', 'start_line', 'end_line', 'max_chars'];

test.each([
  ['search', { query: 'a', limit: 3 }, { query: 'a', top_n: 3 }],
  ['search', { q: 'a', k: 3 }, { query: 'a', top_n: 3 }],
  ['search', { question: 'a', top_k: 3 }, { query: 'a', top_n: 3 }],
  ['listDocuments', { top_n: 3 }, { limit: 3 }],
  ['readDocument', { path: 'a.md' }, { document: 'a.md' }],
  ['readDocument', { document_id: 'notes/a.md' }, { document: 'notes/a.md' }],
  ['readDocument', { uri: 'docfuse://notes/a%20b.md' }, { document: 'notes/a b.md' }],
  ['readDocument', { document: 'docfuse:/half' }, { document: 'docfuse:/half' }],
  [
    'search',
    { query: 'a', filters: { tag: 'b', after: '7d', where: { status: 'done' } } },
    { query: 'a', filters: { tag: ['b'], after: '7d', where: { status: 'done' } } },
  ],
  ['search', { query: 'a', top_k: '2', parents: 'True' }, { query: 'a', top_n: 2, parents: true }],
  ['search', { query: 'a', top_n: '500' }, { query: 'a', top_n: 500 }],
  ['search', { query: '7', k: null, filters: null, mode: null }, { query: '7' }],
  [
    'search',
    { query: 'a', top_n: null, k: 2, filters: { tag: null } },
    { query: 'a', top_n: 2, filters: {} },
  ],
  ['search', { query: 'a', path: 'b/' }, { query: 'a', filters: { path: ['b/'] } }],
  [
    'search',
    { query: 'a', tag: 'b', filters: { paths: ['c'], categories: 'd' } },
    { query: 'a', filters: { path: ['c'], category: ['d'], tag: ['b'] } },
  ],
  ['search', { query: 'a', filters: '{"tags":["2026"]}' }, { query: 'a', filters: { tag: ['2026'] } }],
  [
    'search',
    { query: 'a', filters: { path: '["b"]', tag: '7' } },
    { query: 'a', filters: { path: ['b'], tag: ['7'] } },
  ],
  ['listDocuments', { uri: 'docfuse://notes/a%20b.md' }, { filters: { path: ['notes/a b.md'] } }],
  ['searchWithHypothesis', { answer: 'a' }, { hypothesis: 'a' }],
  ['readDocument', { path: 'a.md', lines: '6-8' }, { document: 'a.md', start_line: 6, end_line: 8 }],
  ['readDocument', { path: 'a.md', lines: [6, 8] }, { document: 'a.md', start_line: 6, end_line: 8 }],
  ['readDocument', { path: 'a.md', lines: 6 }, { document: 'a.md', start_line: 6 }],
  ['readDocument', { uri: pathToFileURL('/a b.md').href }, { document: resolve('/a b.md') }],
  ['readDocument', { document: 'file://%' }, { document: 'file://%' }],
] as const)('%s: %j means %j', (tool, given, meant) => {
  expect(mendSlips(given, inputOf(tool))).toEqual(meant);
});

test.each([
  ['the right name is there too', { query: 'a', top_n: 3, limit: 5 }],
  ['nobody knows the name', { query: 'a', colour: 'red' }],
  ['the filter is given twice', { query: 'a', path: 'b', filters: { path: ['c'] } }],
  ['the text is no number', { query: 'a', top_n: 'two' }],
  ['it is no list of fields', { query: 'a', path: 'b', filters: ['c'] }],
])('stays for the tool to refuse: %s', (_, given) => {
  expect(mendSlips(given, inputOf('search'))).toEqual(given);
});

test('what is right stays, whatever the values, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...READ, '__proto__', 'odd'), fc.integer()), (given) => {
      expect(mendSlips(given, inputOf('readDocument'))).toEqual(given);
    }),
  );
});
