/** A few hundred inputs for every target; `node scripts/fuzz.ts` tries as many as there is time for. */
import { expect, it } from 'vitest';
import { growth, NOISY } from '../core/text/growth.ts';
import { EXAMPLES } from './arbitrary-text.ts';
import { LARGE_KINDS } from './large-kinds.ts';
import { linearParts } from './linear-parts.ts';
import { measureGrowth, numberedPieces, STEEPEST } from './measure-growth.ts';
import { targets } from './targets.ts';

/** Slow targets get fewer. */
const INPUTS: Readonly<Record<string, number>> = {
  flags: 40,
  environment: 60,
  http: 60,
  mcp: 100,
  'ignore-files': 150,
};

it.each(targets.filter(({ name }) => name !== 'growth').map(({ name, run }) => ({ name, run })))(
  '$name holds what it promises for any input',
  async ({ name, run }) => run({ inputs: INPUTS[name] ?? 250 }),
);

it('has the examples of the specification of CommonMark to start from', () => {
  expect(EXAMPLES.length).toBeGreaterThan(640);
});

/** Made to be quadratic: nested, never closed, or closed too late. */
const HOSTILE: Readonly<Record<string, string>> = {
  brackets: '[',
  wikilinks: '[[',
  emphasis: '*a_',
  lists: '- - ',
  quotes: '> > ',
  'quotes that end at once': '>     foo\nbar\n',
  backticks: '` `` ',
  tags: '<a b="',
  names: 'a_',
  tables: '|a|\n|-|\n',
  definitions: '[a]: b\n[a]\n',
  fences: '```\n',
  headings: '###### #a\n',
  phrases: '" (',
  'one word': 'ab',
  folders: '**/a/',
  stars: '*a',
  'misspelt words': 'titel txet ',
};

it.each(Object.keys(linearParts))('time of %s grows in step with hostile text', NOISY, (part) => {
  for (const [name, unit] of Object.entries(HOSTILE)) {
    expect(growth(linearParts[part]!, unit), name).toBeLessThan(4);
  }
});

const NUMBERED = ['#tag', '[[note', '\n\n## heading', 'word', '\n\n[label]: place', '(IDEA', '`name_'];

it('time of indexing grows in step with texts whose parts all differ', NOISY, () => {
  for (const piece of NUMBERED) {
    const make = (length: number) => numberedPieces(piece, length);
    expect(measureGrowth(linearParts.indexing!, make, { from: 20_000 }), piece).toBeLessThan(STEEPEST);
  }
});

/** Those that several parts read; `growth-target.ts` tries all. */
const KINDS = [
  ...['headings, all different', 'headings among definitions', 'definitions used', 'tags on lines'],
  ...['wikilinks on lines', 'links in a list', 'list items, the same', 'many tables', 'nested quotes'],
];

it.each(KINDS)('time of indexing grows in step with %s', NOISY, (kind) => {
  expect(measureGrowth(linearParts.indexing!, LARGE_KINDS[kind]!, { from: 5000 })).toBeLessThan(STEEPEST);
});
