/** A query finds words of its script as their readers expect: by the rules of a reference for each script. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadAnalyzer } from '../../../src/adapters/languages/load-analyzers.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';

const { tokenize, ...auto } = await loadAnalyzer('auto');

/** Whether the text has a form of each term of the query. */
function isFound(query: string, text: string): boolean {
  const terms = new Set<string>();
  tokenize(text, (term) => terms.add(term));
  const asked = parseQuery(query, [{ ...auto, tokenize }]).terms;
  return (
    asked.length > 0 &&
    asked.every(({ term, forms = [] }) => [term, ...forms].some((each) => terms.has(each)))
  );
}

/** The rows of the table below the name of their script. A character may be written as `\u` and its code. */
const TABLE = readFileSync(new URL('scripts.tsv', import.meta.url), 'utf8')
  .split('\n## ')
  .slice(1)
  .map((section) => {
    const [name = '', ...rows] = section.trimEnd().split('\n');
    const written = rows.map((row) =>
      row.replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    );
    return [name, written.map((row) => row.split('\t'))] as const;
  });

test('the table has 200 rows, each with a query, a text and what is expected', () => {
  const rows = TABLE.flatMap(([, rows]) => rows);
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(rows.filter((row) => row.length !== 3 || !/^[=≠]$/.test(row[2]!))).toEqual([]);
});

test.each(TABLE)('%s', (_, rows) => {
  const wrong = rows.filter(([query, text, sign]) => isFound(query!, text!) !== (sign === '='));
  expect(wrong.map((row) => row.join('  '))).toEqual([]);
});
