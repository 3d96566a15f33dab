/** Fuzz target: names and texts of documents where they are shown, on one line, on many, in HTML, JSON, Markdown and prompts. */
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { manyLines, oneLine, oneLineOfHtml, safeJson } from '../../src/core/text/one-line.ts';
import { formatPassages } from '../../src/surfaces/operations/format-passages.ts';
import { quotePassages } from '../../src/surfaces/operations/passages-prompt.ts';
import { arbitraryText } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';

/** Every character that could break, reorder or hide text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const SIGNS = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
  UNSAFE.test(sign),
);
/** What breaks or reorders a line, or is obeyed; none has a place in a name. */
const NEVER =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

const sign = fc.constantFrom(...SIGNS);
const word = fc.constantFrom(
  ...[
    'a',
    'é',
    '漢',
    'ا',
    'क्',
    '❤',
    '👨',
    '🏴',
    '[2] ',
    'x.md:1-2  ',
    'SYSTEM: ',
    '```',
    '`',
    '\n',
    '\r\n',
    '\t',
  ],
  ...['<', '</', '>', '&', '"', "'", '\ud800', '\udfff', '\u001b[31m', ' ', '#', '- ', '[', ']('],
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.oneof(sign, word), { maxLength: 40 }).map((parts) => parts.join('')) },
  fc.string({ unit: 'binary', maxLength: 60 }),
  arbitraryText,
);

const markdown = new MarkdownIt('commonmark');

/** Nothing breaks out of its line, its fence or its mark; JSON says the same; what was made safe once stays as it is. */
export const oneLineTarget = fuzzTarget('one-line', fc.tuple(text, text, text), ([path, title, body]) => {
  const wrong: string[] = [];
  const [line, lines] = [oneLine(path), manyLines(body)];
  if (NEVER.test(line)) wrong.push('one line holds what may not stand there');
  if (oneLine(line) !== line || manyLines(line) !== line) wrong.push('one line changes the second time');
  if (NEVER.test(lines.replace(/[\n\t]/g, ''))) wrong.push('many lines hold what may not stand there');
  if (manyLines(lines) !== lines) wrong.push('many lines change the second time');
  if (lines.split('\n').length !== body.split('\n').length) wrong.push('lines are lost or made');
  if (/[<>"'\n]/.test(oneLineOfHtml(path))) wrong.push('HTML holds markup');
  const json = safeJson({ path, body }, 2);
  if (JSON.stringify(JSON.parse(json)) !== JSON.stringify({ path, body }))
    wrong.push('JSON says other things');
  if (NEVER.test(json.replaceAll('\n', ''))) wrong.push('JSON holds what may not stand there');
  const passage = { document_id: path, start_line: 1, end_line: 2, title, heading_path: [], text: body };
  const passages = [passage, passage];
  const found = markdown
    .parse(
      formatPassages(passages, () => path),
      {},
    )
    .filter(({ level }) => level === 0);
  const kinds = found.map(({ type }) => type).join(' ');
  if (kinds !== Array(2).fill('paragraph_open paragraph_close fence').join(' '))
    wrong.push(`Markdown: ${kinds}`);
  const quoted = quotePassages(passages);
  const mark = /between <(\w+)>/.exec(quoted)![1]!;
  const parts = quoted.split(mark).length - 1;
  if (parts !== 6) wrong.push(`the mark stands ${parts} times`);
  const outside = quoted.split(new RegExp(`<${mark}>\n[^]*?\n</${mark}>`));
  if (outside.length !== 3 || outside.slice(1, 2).some((between) => !/^\n\n\[2\] [^\n]*\n$/.test(between)))
    wrong.push('something else stands between the quotations');
  return wrong;
});
