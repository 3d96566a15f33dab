import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortenAnswer } from '../../../src/surfaces/operations/short-answer.ts';

type Hit = Parameters<typeof shortenAnswer>[0]['hits'][number];

function hit(text: string, best = 1): Hit {
  return {
    ...{
      rank: 1,
      score: 0.9,
      confidence: 'high',
      chunk_id: 'a',
      document_id: 'notes/a.md',
      collection: 'notes',
    },
    ...{
      path: 'a.md',
      title: 'A',
      heading_path: ['A'],
      start_line: 11,
      end_line: 10 + text.split('\n').length,
      text,
    },
    ...{
      line: 10 + best,
      snippet: { text: text.slice(0, 300), start_line: 10 + best, matches: [] },
      tags: [],
      modified: '2026-11-23',
    },
  };
}

const LINE = 'x'.repeat(99);
const long = Array.from({ length: 60 }, (_, at) => `${String(at + 1).padEnd(4)}${LINE.slice(5)}`).join('\n');

test('a long passage is cut around its best line, and says what it was cut from', () => {
  const { hits } = shortenAnswer({ hits: [hit(long, 40)], unsure: [] }, {});
  expect(hits[0]).toMatchObject({ start_line: 49, passage_lines: [11, 70] });
  expect(hits[0]?.text).toMatch(/^39 /);
  expect(hits[0]!.text.length).toBeLessThanOrEqual(3_200);
  expect(hits[0]?.end_line).toBe(48 + hits[0]!.text.split('\n').length);
});

test('from its beginning where the best line is near it', () => {
  const { hits } = shortenAnswer({ hits: [hit(long, 3)], unsure: [] }, {});
  expect(hits[0]).toMatchObject({ start_line: 11, passage_lines: [11, 70] });
});

test('a passage without its beginning has the headings above its first line', () => {
  const text = `# A\n\n## B\n\n${long}`;
  const cut = shortenAnswer({ hits: [hit(text, 40)], unsure: [hit(text, 3)] }, {});
  expect(cut.hits[0]!.heading_path).toEqual(['A', 'B']);
  expect(cut.unsure[0]!.heading_path).toEqual(['A', 'B']);
  expect(shortenAnswer({ hits: [hit(text, 3)], unsure: [] }, {}).hits[0]!.heading_path).toEqual(['A']);
});

test('what short passages leave, long ones share', () => {
  const { hits } = shortenAnswer({ hits: [hit('short'), hit(long), hit(long)], unsure: [] }, {});
  expect(hits[0]).toMatchObject({ text: 'short' });
  expect(hits[0]?.passage_lines).toBeUndefined();
  for (const { text } of hits.slice(1)) expect(text.length).toBeGreaterThan(1_400);
});

test('sections that were asked for stay whole', () => {
  expect(shortenAnswer({ hits: [hit(long)], unsure: [] }, { parents: true }).hits[0]?.text).toBe(long);
});

test('an unsure passage is shown by a few lines of plain text, cut between words', () => {
  const words = 'word '.repeat(60);
  const textOf = (text: string) => shortenAnswer({ hits: [], unsure: [hit(text)] }, {}).unsure[0]!.text;
  expect(textOf(`a\n\n${words}`)).toMatch(/^a\nword [\w ]+ word…$/);
  expect(textOf(`a\n${words}`).length).toBeLessThanOrEqual(181);
  expect(textOf('See [[b]].\n\n| *One* | Two |\n| --- | --- |\n| 1 | 2 |\n')).toBe(
    'See b.\nOne | Two\n1 | 2',
  );
  const code = hit('if (a) {\n\n  *b = `c`;');
  expect(
    shortenAnswer({ hits: [], unsure: [{ ...code, snippet: { ...code.snippet, code: true } }] }, {})
      .unsure[0],
  ).toMatchObject({ text: 'if (a) {\n  *b = `c`;' });
});

test('the text is whole lines of the passage at the lines it names, and all of them fit', () => {
  const line = fc.string({ maxLength: 400 }).map((text) => text.replace(/\s/g, '_'));
  const passage = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 8 }), fc.nat(50), (texts, best) => {
      const { hits } = shortenAnswer({ hits: texts.map((text) => hit(text, best)), unsure: [] }, {});
      const total = hits.reduce(
        (sum, { text, passage_lines }) => sum + (passage_lines ? text.length : text.trim().length),
        0,
      );
      expect(total).toBeLessThanOrEqual(640 * Math.max(5, texts.length) + texts.length);
      for (const [index, { text, start_line, end_line, passage_lines }] of hits.entries()) {
        const source = texts[index]!.split('\n');
        if (!passage_lines) expect(text).toBe(texts[index]);
        else if (!text.endsWith('…'))
          expect(source.slice(start_line - 11, end_line - 10).join('\n')).toBe(text);
      }
    }),
  );
});

test('the page of a passage is the last of its headings', () => {
  const paged = { ...hit('Fog'), page: 2 };
  const { hits, unsure } = shortenAnswer({ hits: [paged], unsure: [paged] }, {});
  expect([...hits, ...unsure].map(({ heading_path }) => heading_path)).toEqual([
    ['A', '(page 2)'],
    ['A', '(page 2)'],
  ]);
});

test('the headings tell how many other documents have nearly the same text', () => {
  const place = (document_id: string) => ({ chunk_id: 'b', document_id, path: document_id, start_line: 1 });
  const headings = (...ids: readonly string[]) =>
    shortenAnswer({ hits: [{ ...hit('short'), page: 2, merged: ids.map(place) }], unsure: [] }, {}).hits[0]!
      .heading_path;
  expect(headings('notes/a.md')).toEqual(['A', '(page 2)']);
  expect(headings('notes/b.md', 'notes/a.md', 'notes/b.md')).toEqual([
    'A',
    '(page 2)',
    '(nearly the same in 1 other document)',
  ]);
  expect(headings('notes/b.md', 'notes/c.md')).toEqual([
    'A',
    '(page 2)',
    '(nearly the same in 2 other documents)',
  ]);
});
