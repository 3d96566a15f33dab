/** What every view prints on terminals of several widths, with colours and without. */
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'smol-toml';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { HAS_TERMINAL, onTerminal } from './on-terminal.ts';

const LONG = 'How the lanterns of the northern harbour are lit when the rain comes in from the sea at night';
const WIDE = '港の灯台に火をともす方法と雨の夜の手順について詳しく説明する長い表題';
const EMOJI = '🏮 a title with a lantern 👩‍👩‍👧 and a family on their way to the harbour at night';
const code = '```sh\nlantern --light --in-the-rain --with-a-very-long-option=value --and-another-one\n```';

const playground = createPlayground({
  'docfuse.toml':
    '[[collections]]\nname = "docs"\npath = "docs"\nexclude = ["drafts/**", "archive/of/former/years/**", "**/*.old.md"]\n',
  'docs/harbour.md': `---\ntags: [a-tag-that-is-rather-long-for-a-narrow-terminal, sea]\n---\n# ${LONG}\n\nSee [[wide]], [[family]] and [[nowhere]].\n\n${`A lantern is lit in the harbour. `.repeat(20)}\n`,
  'docs/wide.md': `# ${WIDE}\n\n${WIDE}。${WIDE}。 lantern\n`,
  'docs/family.md': `# ${EMOJI}\n\n${EMOJI}. Back to [[harbour]].\n\n${code}\n`,
  'docs/bad.md': '---\ntags: [unclosed\n---\n# Bad\n\nFront matter that cannot be read, and a lantern.\n',
});
beforeAll(async () => {
  expect(await playground.run(['index', '--quiet'])).toMatchObject({ code: 0 });
});
afterAll(() => playground[Symbol.dispose]());

const NONSENSE = 'quantum chromodynamics of quarks';
const WIDTHS = [40, 80, 200] as const;
const COLOUR = /\u001b\[[\d;]*m/;
const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'lantern in the rain', '--min-confidence', '0', '--explain'],
  ['search', NONSENSE, '--min-confidence', '0.99'],
  ['list'],
  ['list', 'tags'],
  ['list', 'collections'],
  ['related', 'harbour.md'],
  ['graph'],
  ['status'],
  ['doctor'],
  ['models', 'list'],
];
/** Linked pairs and models are plain, and so is an empty answer. */
const isColoured = ([name, argument]: readonly string[]) =>
  !['graph', 'models'].includes(name!) && argument !== NONSENSE;
/** Without colours, and without the numbers that differ from run to run. */
const timeless = (output: string) =>
  stripVTControlCharacters(output)
    .replaceAll(/[\d.]+(?=\s+age in days)/g, 'AGE')
    .replaceAll(/\d[\d.,]*(?=\s+ms\b)/g, 'TIME');

/** Lines that a terminal would break, but for those of one word, such as a path or an address. */
function tooWide(output: string, columns: number): readonly string[] {
  return output
    .split('\n')
    .map((line) => stripVTControlCharacters(line))
    .filter((line) => stringWidth(line) > columns && line.trim().includes(' '));
}

describe.runIf(HAS_TERMINAL)('on a terminal', () => {
  describe.each(COMMANDS)('%s %s', (...args) => {
    test.each(WIDTHS)('%i columns', async (columns) => {
      const [coloured, uncoloured] = await Promise.all([
        onTerminal(playground, args, { columns }),
        columns === 80
          ? onTerminal(playground, [...args, '--no-color'], { columns })
          : onTerminal(playground, args, { columns, env: { NO_COLOR: '1' } }),
      ]);
      expect(tooWide(coloured.output, columns)).toEqual([]);
      expect(COLOUR.test(coloured.output)).toBe(isColoured(args));
      expect(uncoloured.output).not.toContain('\u001b');
      expect(timeless(uncoloured.output)).toBe(timeless(coloured.output));
    });
  });

  test.each(['', 'search', 'mcp install', 'completion'])('help of docfuse %s', async (command) => {
    const args = [...command.split(' ').filter(Boolean), '--help'];
    for (const columns of WIDTHS) {
      const { output } = await onTerminal(playground, args, { columns });
      expect(output).toContain('--config <file>');
      // Commands to be copied stay whole.
      expect(tooWide(output.split(/^(?:Examples|To switch it on):$/m)[0]!, columns)).toEqual([]);
    }
  });

  test('a document is printed as it is, at any width', async () => {
    const { stdout } = await playground.run(['read', 'harbour.md']);
    for (const columns of WIDTHS) {
      expect((await onTerminal(playground, ['read', 'harbour.md'], { columns })).output).toBe(stdout);
    }
  });

  test('settings stay the same TOML at any width', async () => {
    const { stdout } = await playground.run(['config']);
    for (const columns of WIDTHS) {
      const { output } = await onTerminal(playground, ['config'], { columns, env: { NO_COLOR: '1' } });
      expect(parse(output)).toEqual(parse(stdout));
      // A value of one piece, such as a path, cannot be broken.
      const wide = tooWide(output, columns).filter((line) => !/^(# \w+:|\w+ =) \S+$/.test(line));
      expect(wide).toEqual([]);
    }
  });
});

test('through a pipe lines are whole and without colours', async () => {
  const { stdout } = await playground.run(['list']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain(`docs/harbour.md  ${LONG}\n`);
});
