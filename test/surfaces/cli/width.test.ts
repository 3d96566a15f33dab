/** What every view prints on terminals of several widths, with colours and without. */
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'smol-toml';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { executeHere } from './execute-here.ts';
import { HAS_TERMINAL, onTerminal } from './on-terminal.ts';

const LONG = 'How the lanterns of the northern harbour are lit when the rain comes in from the sea at night';
const WIDE = '港の灯台に火をともす方法と雨の夜の手順について詳しく説明する長い表題';
const EMOJI = '🏮 a title with a lantern 👩‍👩‍👧 and a family on their way to the harbour at night';
const code = '```sh\nlantern --light --in-the-rain --with-a-very-long-option=value --and-another-one\n```';

const collection =
  '[[collections]]\nname = "docs"\npath = "docs"\nexclude = ["drafts/**", "archive/of/former/years/**", "**/*.old.md"]\n';
/** Every other query of the set has no answer. */
const judged = Array.from({ length: 24 }, (_, place) => ({
  query: JSON.stringify({ _id: `q${place}`, text: `lantern ${place}`, type: place % 2 ? 'none' : 'easy' }),
  grades: place % 2 ? '' : `q${place}\tharbour.md\t2\n`,
}));
const playground = createPlayground({
  'set/queries.jsonl': judged.map(({ query }) => `${query}\n`).join(''),
  'set/qrels.tsv': `query-id\tcorpus-id\tscore\n${judged.map(({ grades }) => grades).join('')}`,
  'docs/harbour.md': `---\ntags: [a-tag-that-is-rather-long-for-a-narrow-terminal, sea]\n---\n# ${LONG}\n\nSee [[wide]], [[family]] and [[nowhere]].\n\n${`A lantern is lit in the harbour. `.repeat(20)}\n`,
  '.config/docfuse/docfuse.toml': 'trust = ["~"]\n',
  'docs/wide.md': `# ${WIDE}\n\n${WIDE}。${WIDE}。 lantern\n`,
  'docs/family.md': `# ${EMOJI}\n\n${EMOJI}. Back to [[harbour]].\n\n${code}\n`,
  'docs/bad.md': '---\ntags: [unclosed\n---\n# Bad\n\nFront matter that cannot be read, and a lantern.\n',
});
let service: Service;
beforeAll(async () => {
  service = await startService();
  service.chat = ['In the rain [1].'];
  playground.write({
    'docfuse.toml': `[answer]\nbase_url = "${service.url}"\nmodel = "tiny"\n${collection}`,
  });
  expect(await playground.runHere(['index', '--quiet'])).toMatchObject({ code: 0 });
  expect(await playground.runHere([...EVAL, '--run', 'before.trec'])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  playground[Symbol.dispose]();
});

const NONSENSE = 'quantum chromodynamics of quarks';
/** Bars are drawn where it is not quiet. */
const EVAL = ['eval', 'set', '--docs', 'docs', '--quiet'];
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
  ['map'],
  ['status'],
  ['audit'],
  ['doctor'],
  ['models', 'list'],
  ['search', 'lantern in the rain', '--min-confidence', '0', '--files'],
  ['ask', 'how are the lanterns lit', '--min-confidence', '0'],
  ['index', '--dry-run', '--quiet'],
  ['judge', 'lantern', '--documents', 'harbour.md', '--grades', '2'],
  [...EVAL, '--compare', 'before.trec'],
  ['tune', 'set', '--docs', 'docs', '--folds', '2', '--quiet'],
];
/** Linked pairs, models, files, figures and judgements are plain, and so is an empty answer. */
const PLAIN = ['graph', 'models', 'index', 'judge', 'eval', 'tune'];
const isColoured = (args: readonly string[]) =>
  !PLAIN.includes(args[0]!) && !args.includes(NONSENSE) && !args.includes('--files');
/** Without colours, and without the numbers that differ from run to run. */
const timeless = (output: string) =>
  stripVTControlCharacters(output)
    .replaceAll(/[\d.]+(?=\s+age in days)/g, 'AGE')
    .replaceAll(/\d[\d.,]*(?=\s+ms\b)/g, 'TIME')
    // A column is as wide as its numbers.
    .replaceAll(/ +/g, ' ');

/** Lines that a terminal would break, but for those of one word, such as a path or an address. */
function tooWide(output: string, columns: number): readonly string[] {
  return output
    .split('\n')
    .map((line) => stripVTControlCharacters(line))
    .filter((line) => stringWidth(line) > columns && line.trim().includes(' '));
}

const inTerminal = async (args: readonly string[], columns: number, more: Record<string, string> = {}) => {
  const env = { ...playground.env, TERM: 'xterm-256color', ...more };
  const { code, stdout, stderr } = await executeHere([BIN, ...args], {
    cwd: playground.folder,
    env,
    columns,
  });
  return { code, output: stdout + stderr };
};

test.runIf(HAS_TERMINAL)('a real terminal shows what these tests see (not on Windows)', async () => {
  const [args] = COMMANDS as [readonly string[]];
  const { output } = await onTerminal(playground, args, { columns: 80 });
  const seen = await inTerminal(args, 80);
  expect(COLOUR.test(output)).toBe(true);
  const untimed = (text: string) => timeless(text).split('\n').toSorted();
  expect(untimed(output)).toEqual(untimed(seen.output));
});

describe('on a terminal', () => {
  describe.each(COMMANDS)('%s %s', (...args) => {
    const uncolored = {
      cwd: playground.folder,
      env: { ...playground.env, TERM: 'xterm-256color' },
      columns: 80,
    };
    test.each(WIDTHS)('%i columns', async (columns) => {
      const [coloured, uncoloured] = await Promise.all([
        inTerminal(args, columns),
        columns === 80 ? executeHere([BIN, ...args, '--no-color'], uncolored) : undefined,
      ]);
      expect(tooWide(coloured.output, columns)).toEqual([]);
      expect(COLOUR.test(coloured.output), coloured.output).toBe(isColoured(args));
      if (!uncoloured) return;
      const { stdout, stderr } = uncoloured;
      expect(stdout + stderr).not.toContain('\u001b');
      expect(timeless(stdout + stderr)).toBe(timeless(coloured.output));
    });
  });

  test.each(['', 'search', 'mcp install', 'completion'])('help of docfuse %s', async (command) => {
    const args = [...command.split(' ').filter(Boolean), '--help'];
    for (const columns of WIDTHS) {
      const { output } = await inTerminal(args, columns);
      expect(output).toContain('-q, --quiet');
      // Commands to be copied stay whole.
      expect(tooWide(output.split(/^(?:Examples|To switch it on):$/m)[0]!, columns)).toEqual([]);
    }
  });

  test.each([[['read', 'harbour.md']], [['search', 'lantern', '--context', '--quiet']]])(
    '%j prints text of documents as it is, at any width',
    async (args) => {
      const { stdout } = await playground.runHere(args);
      expect(stdout).toContain('A lantern is lit');
      for (const columns of WIDTHS) {
        expect((await inTerminal(args, columns)).output).toBe(stdout);
      }
    },
  );

  test.each(WIDTHS)('an error, and what to do, at %i columns', async (columns) => {
    playground.write({ 'bare.toml': collection });
    const args = ['ask', 'how are the lanterns lit', '--config', 'bare.toml'];
    const { code, output } = await inTerminal(args, columns);
    expect(code).toBe(1);
    expect(output).toContain('No language model');
    expect(tooWide(output, columns)).toEqual([]);
  });

  test('settings stay the same TOML at any width', async () => {
    const { stdout } = await playground.runHere(['config']);
    for (const columns of WIDTHS) {
      const { output } = await inTerminal(['config'], columns, { NO_COLOR: '1' });
      expect(parse(output)).toEqual(parse(stdout));
      // A value of one piece, such as a path, cannot be broken.
      const wide = tooWide(output, columns).filter((line) => !/^(# \w+:|\w+ =) \S+$/.test(line));
      expect(wide).toEqual([]);
    }
  });
});

test('through a pipe lines are whole and without colours', async () => {
  const { stdout } = await playground.runHere(['list']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain(`docs/harbour.md  ${LONG}\n`);
});
