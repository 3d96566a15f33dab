/** Draws what a terminal shows of one search, with the colours that docfuse prints, as docs/images/terminal.svg. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const TERMINAL_IMAGE = 'docs/images/terminal.svg';

const QUERY = 'what happens when I press ctrl-c while it indexes';
// Of the documentation, this folder alone: embedding all pages takes a minute.
const FOLDER = 'docs/guides';
const ARGUMENTS = ['search', QUERY, FOLDER, '-n', '2', '--color', 'always'];
const COLUMNS = 92;

/** Pixels: width of a character, height of a line, and margin around the text. */
const [CHARACTER, LINE, MARGIN] = [8.43, 20, 22];

/** SVG attributes for SGR codes. The colours are for a dark background, which suits light and dark pages. */
const STYLES: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold"',
  '2': 'opacity=".6"',
  '4': 'text-decoration="underline"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#7ee787"',
  '33': 'fill="#e3b341"',
  '34': 'fill="#79c0ff"',
  '35': 'fill="#d2a8ff"',
  '36': 'fill="#56d4dd"',
  '90': 'fill="#8b949e"',
};
/** For each code that ends other codes, a pattern for those codes. The code 0 and an empty code end all codes. */
const ENDS: Readonly<Record<string, RegExp>> = { '22': /^[12]$/, '24': /^4$/, '39': /^[39]\d$/ };

if (import.meta.main) writeFileSync(join(ROOT, TERMINAL_IMAGE), drawTerminal());

/** @throws Error when the search fails */
export function drawTerminal(): string {
  const lines = [
    `\u001b[90m$\u001b[39m docfuse search "${QUERY}" ${FOLDER}`,
    ...search().trimEnd().split('\n'),
  ];
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map(
    (line, row) => `<text x="${MARGIN}" y="${MARGIN + 14 + row * LINE}">${spans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="A search in a terminal: each hit has its path and line, its headings, a confidence with a word, and the sentences that answer.">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${rows.join('\n')}
</g>
</svg>
`;
}

function search(): string {
  // This home is kept between runs, and with it the index.
  const home = join(ROOT, 'node_modules/.cache/docfuse-terminal');
  mkdirSync(home, { recursive: true });
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
  };
  const answer = spawnSync(process.execPath, ['bin/docfuse.js', ...ARGUMENTS], {
    cwd: ROOT,
    env: {
      ...env,
      LOCALAPPDATA: home,
      APPDATA: home,
      DOCFUSE_INDEX: '',
      COLUMNS: String(COLUMNS),
      FORCE_HYPERLINK: '0',
    },
    encoding: 'utf8',
  });
  if (answer.status !== 0) throw new Error(`docfuse ended with ${answer.status}: ${answer.stderr}`);
  return answer.stdout;
}

/** Converts a line with SGR codes to `tspan` elements. */
function spans(line: string): string {
  let codes: readonly string[] = [];
  const [first = '', ...rest] = line.replaceAll(/\u001b\]8;;.*?(?:\u0007|\u001b\\)/g, '').split('\u001b[');
  const parts = rest.map((part) => {
    const end = part.indexOf('m');
    for (const code of part.slice(0, end).split(';')) {
      const ended = ENDS[code] ?? (code in STYLES ? /^$/ : /^/);
      codes = [...codes.filter((each) => !ended.test(each)), ...(code in STYLES ? [code] : [])];
    }
    const styles = codes.map((code) => STYLES[code]).join(' ');
    return `<tspan ${styles}>${escaped(part.slice(end + 1))}</tspan>`.replace('<tspan >', '<tspan>');
  });
  return escaped(first) + parts.filter((part) => !part.endsWith('></tspan>')).join('');
}

/** Escapes a text for SVG. Spaces become no-break spaces, because SVG would join several spaces. */
function escaped(text: string): string {
  return text
    .replaceAll(' ', '\u00a0')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
