import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { matchFinder } from '../../../src/core/rank/find-matches.ts';
import { codeStretches } from '../../../src/core/rank/matching-code.ts';
import { snippet } from '../../../src/core/rank/snippet.ts';
import { inlineSpans } from '../../../src/core/text/inline-spans.ts';
import { normalizeLineEnds } from '../../../src/core/text/lines.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';
import { growth, NOISY } from '../text/growth.ts';

const FILLER = 'Nothing of note happens in this sentence at all. ';
/** The code blocks of a text that is read as a whole document. */
const codeIn = (text: string) => {
  const startLine = 1 + text.slice(0, text.length - text.trimStart().length).split('\n').length - 1;
  return codeStretches({ text, overlap: 0, startLine, codeBlocks: parseDocument('a.md', text).codeBlocks });
};
const shown = (text: string, query: string, options = {}) =>
  snippet(text, matchFinder(parseQuery(query)), { codeBlocks: codeIn(text), ...options });
const words = ({ text, matches }: ReturnType<typeof shown>) =>
  matches.map(([start, end]) => text.slice(start, end));
describe('snippet', () => {
  test('shows a short passage whole, without its heading', () => {
    expect(shown('## Restore\n\nPick a snapshot, then restore it.\n', 'restore')).toEqual({
      text: 'Pick a snapshot, then restore it.',
      ...{ start: 12, best: 34, matches: [[22, 29]] },
    });
    expect(shown('## Restore\n', 'restore').text).toBe('## Restore');
  });

  test('goes where the rare word is, not where the common ones are', () => {
    const text = `${'A token and a token again. '.repeat(3)}${FILLER.repeat(9)}Here is the zymurgy. ${FILLER.repeat(9)}`;
    const weigh = (term: string) => (term === 'token' ? 1 : 8);
    expect(words(shown(text, 'token zymurgy', { weigh }))).toEqual(['zymurgy']);
    expect(words(shown(text, 'token zymurgy', { weigh: (term: string) => 9 - weigh(term) }))[0]).toBe(
      'token',
    );
  });

  test('goes where the whole name is, not where its parts are scattered', () => {
    const scattered = 'To get the user, ask by id, and get another user by another id. ';
    const text = `${scattered}${FILLER.repeat(9)}It calls getUserById in the end. ${FILLER.repeat(9)}`;
    expect(words(shown(text, 'getUserById'))).toEqual(['getUserById']);
    expect(words(shown(`${FILLER.repeat(9)}${scattered}${FILLER.repeat(9)}`, 'getUserById'))).toContain(
      'user',
    );
  });

  test('marks a word that is written apart, and what a short form stands for, as one match', () => {
    const adjacent = (...words: string[]) => words.map((term, position) => ({ term, position }));
    const [together, short] = parseQuery('frontmatter ADR').terms;
    const query = {
      ...parseQuery('record'),
      terms: [
        ...parseQuery('record').terms,
        { ...together!, variants: [adjacent('front', 'matter')] },
        { ...short!, variants: [adjacent('architectur', 'decis', 'record')] },
      ],
    };
    const text =
      'The front matter, front-matter or matter in front of an architecture decision record or record.';
    const { matches } = snippet(text, matchFinder(query));
    expect(matches.map(([start, end]) => text.slice(start, end))).toEqual([
      'front matter',
      'front-matter',
      'architecture decision record',
      'record',
    ]);
  });

  test('begins with a long sentence when that leaves room for the match', () => {
    const long =
      'When every one of the machines that take part in it has been told in good time, the token is rotated.';
    const text = `${FILLER.repeat(9)}${long} ${FILLER.repeat(9)}`;
    expect(shown(text, 'token').text).toMatch(/^When every one/);
    expect(shown(`${long} ${FILLER.repeat(9)}`, 'token').text).toMatch(/^When every one/);
    expect(shown(text, 'token', { length: 60 }).text).not.toContain('When');
  });

  test('begins at no line in the middle of a sentence', () => {
    const wrapped =
      'Before you ask for it for the first time, look at the list of\nall machines that are known here, and then at the\nVisual token that each of them holds.';
    const text = `${FILLER.repeat(9)}${wrapped} ${FILLER.repeat(9)}`;
    expect(shown(text, 'token').text).toMatch(/^Before you/);
    const pushed = `Before\n[1.79](https://example.org/${'a/'.repeat(40)})\nyou ask for the token, wait.`;
    expect(shown(`${FILLER.repeat(9)}\n\n${pushed} ${FILLER.repeat(9)}`, 'token').text).toMatch(/^Before/);
    const lines = 'const machine = findMachine(machines, one)\nreturn token\n';
    const code = `\`\`\`ts\n${lines.repeat(9)}\`\`\``;
    expect(shown(code, 'token').text).toMatch(/^(?:const|return)/);
    const names = `${'alpha beta\n'.repeat(30)}Gamma token\n${'alpha beta\n'.repeat(30)}`;
    expect(shown(names, 'token').text).toMatch(/^(?:alpha beta|Gamma token)\n/);
  });

  test('begins at no line of punctuation alone', () => {
    const entry = '  "some": {\n    "key": [\n      "value"\n    ]\n  },\n';
    const code = `\`\`\`json\n{\n${entry.repeat(20)}"token": 1\n}\n\`\`\``;
    const list = `${FILLER}\n\n${'- one\n-\n-\n'.repeat(40)}- token\n- one\n`;
    for (let length = 40; length < 300; length += 7) {
      expect(shown(code, 'token', { length }).text).toMatch(/^.*\p{L}/u);
      expect(shown(list, 'token', { length }).text).toMatch(/^.*\p{L}/u);
    }
  });

  test('keeps room for the beginning of the sentence where its words are far apart', () => {
    const sentence = `The first thing to look at in each and every case is the token of the machine, ${'one of a few, '.repeat(6)}and its mirror.`;
    const text = `${FILLER.repeat(9)}${sentence} ${FILLER.repeat(2)}It is the zymurgy. ${FILLER.repeat(9)}`;
    expect(shown(text, 'token mirror zymurgy').text).toMatch(/^The first thing/);
  });

  test('shows the heading when all under it is hidden from readers', () => {
    expect(shown('## Links\n\n[a]: https://example.org\n', 'links').text).toMatch(/^## Links/);
  });

  test('shows no link definition, also where only definitions have the words', () => {
    const definitions = "[mcp]: cli/mcp.md 'foam mcp'\n[lint]: cli/lint.md 'foam lint'\n";
    const table = `| Command | Description |\n| --- | --- |\n${'| [[mcp]] | Expose the workspace |\n'.repeat(9)}`;
    const found = shown(`## Commands\n\n${table}\n${definitions}`, 'cli mcp lint');
    expect(found.text).toMatch(/^\| (?:Command|\[\[mcp)/);
    expect(found.text).not.toContain(']:');
    expect(new Set(words(found))).toEqual(new Set(['mcp']));
    for (const sentence of ['Try it out.', 'Try the lint.'])
      expect(shown(`${sentence}\n\n${definitions}\nMore.`, 'lint').text).toBe(sentence);
    expect(shown(`\`\`\`md\n${definitions}\`\`\`\n`, 'mcp').text).toContain('[mcp]: cli/mcp.md');
    expect(shown(definitions, 'mcp').text).toBe(definitions.trim());
  });

  test('begins at the sentence of the match and ends at a sentence', () => {
    const text = `${FILLER.repeat(9)}We rotate the old token here. ${FILLER.repeat(9)}`;
    const { text: cut } = shown(text, 'token');
    expect(cut).toMatch(/^We rotate/);
    expect(cut).toMatch(/at all\.$/);
  });

  test('shows the first full paragraph when no word matches', () => {
    const prose = FILLER.repeat(18).trim();
    const text = `## Head\n\n| a | b |\n|---|---|\n${'| x | y |\n'.repeat(12)}\n\`\`\`ts\n${'const a = 1;\n'.repeat(12)}\`\`\`\n\nShort.\n\n${prose}`;
    const cut = shown(text, 'unrelated').text;
    expect(cut).toContain('Nothing of note');
    expect(cut).not.toMatch(/[|`#]/);
  });

  test('ends at no number of a list', () => {
    const text = `${FILLER.repeat(4)}\n1. Open the token.\n2. Press the key and then press it again.\n3. ${'word '.repeat(90)}`;
    for (let length = 60; length < 300; length += 3) {
      expect(shown(text, 'token', { length }).text).not.toMatch(/\n\d\.$/);
    }
  });

  test('cuts no word in half where there is another place to cut', () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    const span = word.map((each) => `\`${each} ${each}\``);
    const path = fc.array(word, { minLength: 2, maxLength: 6 }).map((parts) => parts.join('/'));
    const part = fc.oneof({ weight: 9, arbitrary: word }, span, path);
    const sized = fc.integer({ min: 60, max: 300 });
    const parts = fc.array(part, { minLength: 30, maxLength: 120 });
    fc.assert(
      fc.property(parts, sized, fc.nat(), fc.nat(), (all, size, first, second) => {
        const text = all.join(' ');
        const { text: cut, start } = shown(text, `${all[first % all.length]} ${all[second % all.length]}`, {
          length: size,
        });
        const end = start + cut.length;
        expect(text.slice(start - 1, start + 1)).not.toMatch(/^[a-z]{2}$/);
        expect(text.slice(end - 1, end + 1), cut).not.toMatch(/^[a-z]{2}$/);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps a link whole at either end', () => {
    const link = `[the long label of a link](${'path/'.repeat(30)}file.md)`;
    const text = `${FILLER.repeat(4)}${'word '.repeat(30)}${link} token ${FILLER.repeat(8)}`;
    for (let length = 60; length < 300; length += 7) {
      const { text: cut } = shown(text, 'token label', { length });
      expect(cut.includes('[') ? cut : link).toContain(link);
    }
  });

  test('a run of backticks in a heading is no code with one under it', () => {
    const text = 'It.\n\n"`` plain\n===\n`` plain\n-\n" ';
    expect(shown(text, 'plain words', { length: 20 }).text).toBe('"`` plain\n===');
    expect(inlineSpans(text)).toEqual([]);
    expect(inlineSpans('`` plain\n--- x\n``')).toHaveLength(1);
    expect(inlineSpans('# `` plain\n> [[Note|label]]\n# `` plain\n')).toHaveLength(1);
  });

  test('cuts no tag in half, in code either', () => {
    const tags =
      '$ <font color="#4E9A06">run</font> it, <u style="solid solid">now and then</u>, <b>so</b>.\n';
    const code = `\`\`\`console\n${tags.repeat(9)}\`\`\`\n`;
    for (let filler = 0; filler < 90; filler++) {
      const prose = shown(`A zymurgy ${'x'.repeat(filler)} course of it:\n\n${code}`, 'zymurgy', {
        length: 150,
      });
      const inside = shown(
        `${FILLER}\n\n${code.replace('now', `zymurgy${'x'.repeat(filler)} zymurgy`)}`,
        'zymurgy',
        { length: 150 },
      );
      for (const { text } of [prose, inside]) expect(text.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
    }
  });

  test('stays inside the code where the match is, and says so', () => {
    const code = 'const filler = value;\n'.repeat(30);
    const text = `${FILLER.repeat(3)}\n\n\`\`\`ts\n${code}getUserById(7);\n${code}\`\`\`\n\n${FILLER}`;
    const found = shown(text, 'getUserById');
    expect(found.code).toBe(true);
    expect(words(found)).toEqual(['getUserById']);
    expect(found.text).not.toContain('```');
  });

  const query = fc.constantFrom('plain words', '"汉字"', 'x', 'label note', 'सन', 'bold*', 'nothing');
  const length = fc.integer({ min: 20, max: 400 });

  test('is a part of the text with the query words at the ranges', () => {
    fc.assert(
      fc.property(markdownFile, query, length, (file, asked, size) => {
        const text = normalizeLineEnds(file);
        const cut = shown(text, asked, { length: size });
        expect(text).toContain(cut.text);
        let at = 0;
        for (const [start, end] of cut.matches) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(cut.text.length);
      }),
      { numRuns: 300 },
    );
  });

  test('cuts no grapheme and no span in half, and is longer than asked only by one of them', () => {
    fc.assert(
      fc.property(markdownFile, query, length, (file, asked, size) => {
        const text = normalizeLineEnds(file);
        const cut = shown(text, asked, { length: size });
        const places = occurrences(text, cut.text);
        const spans = spansBetweenCode(text);
        const graphemes = Array.from(SEGMENTER.segment(text), ({ index }) => index);
        // White space is trimmed even where a lone accent stands on it.
        const trimmed = Array.from(text.matchAll(/\s/gu), ({ index }) => index + 1);
        const boundaries = new Set([text.length, ...graphemes, ...trimmed]);
        const isClean = places.some((start) => {
          const end = start + cut.text.length;
          const splits = (at: number) => !cut.code && spans.some((span) => span.start < at && at < span.end);
          return boundaries.has(start) && boundaries.has(end) && !splits(start) && !splits(end);
        });
        expect(isClean, JSON.stringify(cut.text)).toBe(true);
        const longest = Math.max(0, ...spans.map(({ start, end }) => end - start));
        const grapheme = Math.max(0, ...Array.from(SEGMENTER.segment(text), ({ segment }) => segment.length));
        expect(cut.text.length).toBeLessThanOrEqual(size + longest + grapheme);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '[',
    '`',
    '![](',
    '[[a|',
    '<!--',
    '](',
    '*a ',
    '\n\n',
    '```\n',
    '👨‍👩‍👧',
    'token ',
    '| |',
    '\u0301',
    '. ',
  ])('takes time linear in %j repeated', NOISY, (unit) => {
    expect(growth((text) => shown(`token ${text}`, 'token zymurgy'), unit)).toBeLessThan(4);
  });
});

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

function occurrences(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = part === '' ? -1 : text.indexOf(part, at + 1))
    places.push(at);
  return places;
}

function spansBetweenCode(text: string): { readonly start: number; readonly end: number }[] {
  const code = codeIn(text);
  const starts = [0, ...code.map(({ end }) => end)];
  const ends = [...code.map(({ start }) => start), text.length];
  return starts.flatMap((from, index) =>
    inlineSpans(text.slice(from, ends[index])).map(({ start, end }) => ({
      start: from + start,
      end: from + end,
    })),
  );
}
