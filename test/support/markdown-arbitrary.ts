/** Generates nasty Markdown: every kind of block, unclosed and nested, in many scripts, with mixed line ends. */
import fc from 'fast-check';

const WORDS = [
  ...[
    'plain',
    'words.',
    'End!',
    'a',
    '**bold**',
    '`code`',
    '``',
    '[[Note|label]]',
    '[x](y.md#z)',
    '#tag',
    '\\#no',
    '<b>',
    '&amp;',
  ],
  ...[
    '汉字，',
    '日本語。',
    'ไทย',
    'नमस्ते',
    'e\u0301',
    '👨‍👩‍👧',
    '🇩🇪🇫🇷',
    '🤷🏽',
    '\u0301',
    '\u200d',
    '\u2028',
    '\f',
    '\0',
    '\ud800',
    '|',
    '[',
    ']]',
  ],
  ...['supercalifragilistic'.repeat(4), '漢'.repeat(60), '👍🏿'.repeat(30), `x${'\u0301'.repeat(50)}`],
];
const word = fc.constantFrom(...WORDS);
const inline = fc.array(word, { minLength: 1, maxLength: 25 }).map((words) => words.join(' '));
const lines = fc.array(inline, { minLength: 1, maxLength: 4 }).map((each) => each.join('\n'));

const heading = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 7 }), inline).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  fc.tuple(inline, fc.constantFrom('===', '---', '-')).map(([text, line]) => `${text}\n${line}`),
  fc.constantFrom('#', '## ##', '   ### Indented ###', '## Twice', '## Twice'),
);
const fence = fc
  .record({
    mark: fc.constantFrom('```', '~~~', '`````'),
    info: fc.constantFrom('', 'ts', '{.python}', 'C++ title="x"'),
    body: fc.array(fc.oneof(inline, fc.constantFrom('', '# not a heading', '```')), { maxLength: 8 }),
    isClosed: fc.boolean(),
  })
  .map(({ mark, info, body, isClosed }) => [mark + info, ...body, ...(isClosed ? [mark] : [])].join('\n'));
const table = fc
  .array(fc.constantFrom('| a | b |', '| 👍🏿 | `x|y` |', '| [[N\\|l]] | |'), { maxLength: 12 })
  .map((rows) => ['| h | i |', '|---|:-:|', ...rows].join('\n'));
const leaf = fc.oneof(
  { weight: 4, arbitrary: lines },
  { weight: 4, arbitrary: heading },
  { weight: 3, arbitrary: fence },
  { weight: 2, arbitrary: table },
  fc.constantFrom(
    '***',
    '    indented\n\n    code',
    '<div>\n[[not a link]]\n</div>',
    '<!-- open',
    '[ref]: ../z.md "t"',
    '\t\ttabs',
    '  ',
  ),
);
const nested = fc.tuple(leaf, fc.constantFrom('> ', '- ', '1. ', '> - ', '-     ')).map(([block, prefix]) => {
  const indent = prefix.replaceAll(/[^>]/g, ' ');
  return block
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : indent) + line)
    .join('\n');
});
const frontMatter = fc.constantFrom(
  ...[
    '',
    '---\ntitle: Given\ntags: [a, 7]\n---\n',
    '---\r\ndate: 2024-13-01\r\n---\r\n',
    '---\nbad: [\n---\n',
    '---\nopen: 1\n',
  ],
  ...[
    '+++\ntitle = "T"\n+++\n',
    '+++\nbad\n+++\n',
    '---\nprose\n---\n',
    '---\n---',
    '---\n__proto__: {x: 1}\na: &a [*a]\n...\n',
  ],
);
const gap = fc.constantFrom('\n', '\n\n', '\n\n', '\n\n\n\n', '\r\n\r\n', '\r', '\n \t\n');

/** Whole files. */
export const markdownFile: fc.Arbitrary<string> = fc
  .record({
    head: frontMatter,
    parts: fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: leaf }, nested), gap), { maxLength: 14 }),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  })
  .map(({ head, parts, lineEnd }) => {
    const body = parts.map(([block, space]) => block + space).join('');
    return head + (lineEnd === '\n' ? body : body.replaceAll(/\r\n|\r|\n/g, lineEnd));
  });
