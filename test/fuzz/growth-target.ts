/** Fuzz target: short pieces repeated, and documents of one or two kinds of text, to find those at which time grows faster than the input. */
import fc from 'fast-check';
import { EXAMPLES, MARKS } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { LARGE_KINDS } from './large-kinds.ts';
import { linearParts } from './linear-parts.ts';
import { measureGrowth, numberedPieces, repeatedPiece, STEEPEST } from './measure-growth.ts';

/** Characters of the shortest input. Most are short, so that many can be tried: what is quadratic takes its time at eight times 500, too. */
const FROM = [500, 500, 500, 2_000];

const piece = fc.oneof(
  fc.array(fc.constantFrom(...MARKS), { minLength: 1, maxLength: 4 }).map((marks) => marks.join('')),
  fc.constantFrom(...EXAMPLES).map((text) => text.slice(0, 60)),
);
const kind = fc.constantFrom(...Object.keys(LARGE_KINDS));
/** One kind after the other: the second may look at all of the first again and again. */
const ofKinds = fc.record({
  kinds: fc.tuple(kind, kind),
  part: fc.constant('indexing'),
  from: fc.constant(20_000),
});

const repeated = fc.record({
  before: fc.constantFrom(
    '',
    '',
    '"',
    '[',
    '[[',
    '<',
    '<!--',
    '`',
    '(',
    '[a](',
    '# ',
    '> ',
    '- ',
    '---\n',
    '```\n',
    '| a |\n|-|\n',
    '<div>\n',
  ),
  piece,
  /** Each piece another one, by its number: tags, links and words that differ. */
  numbered: fc.boolean(),
  after: fc.constantFrom('', '', ']', ')', '`', '"', '\n---\n', '-->', 'x'),
  part: fc.constantFrom(...Object.keys(linearParts)),
  from: fc.constantFrom(...FROM),
});

export const growthTarget = fuzzTarget(
  'growth',
  fc.oneof(repeated, ofKinds),
  (input) => {
    const { part, from } = input;
    const make = 'kinds' in input ? makeOfKinds(input.kinds) : makeRepeated(input);
    const run = linearParts[part]!;
    let growth = measureGrowth(run, make, { from });
    // What seems too steep is measured again, longer.
    for (let attempt = 0; attempt < 3 && growth > STEEPEST; attempt++) {
      growth = Math.min(growth, measureGrowth(run, make, { from: from * 2 ** (attempt + 1) }));
    }
    return growth > STEEPEST ? [`time of ${part} grows by ${growth.toFixed(1)} with each doubling`] : [];
  },
  { shrink: false },
);

type Make = (length: number) => string;

interface Repeated {
  readonly before: string;
  readonly piece: string;
  readonly numbered: boolean;
  readonly after: string;
}

function makeOfKinds(kinds: readonly string[]): Make {
  return (length) => kinds.map((each) => LARGE_KINDS[each]!(length / kinds.length)).join('\n\n');
}

function makeRepeated({ before, piece: unit, numbered, after }: Repeated): Make {
  const repeat = numbered ? numberedPieces : repeatedPiece;
  return (length) => before + repeat(unit, length) + after;
}
