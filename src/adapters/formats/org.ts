/** Converts Org to Markdown. Each line becomes one line, so line numbers stay the same. */
import { type Convert, textOf } from './converted.ts';

export const convert: Convert = (bytes) => ({ markdown: orgToMarkdown(textOf(bytes)) });

type Block = 'code' | 'quote' | 'hidden';

export function orgToMarkdown(text: string): string {
  const hasTitle = /^#\+title:/im.test(text);
  const fence = text.includes('```') ? '`````' : '```';
  let block: Block | undefined;
  let end = -1;
  const lines = text.split(/\r?\n/);
  const made = lines.map((line, at) => {
    if (at === end) return block === 'code' ? fence : '';
    if (at < end) return block === 'hidden' ? '' : block === 'code' ? line : `> ${inline(line)}`;
    const [, kind = '', language = ''] = /^\s{0,99}#\+begin_(\w+)\s*([\w+-]*)/i.exec(line) ?? [];
    const isDrawer = /^\s{0,99}:(?:properties|logbook):\s*$/i.test(line);
    const closing = kind ? endOf(lines, at, new RegExp(`^\\s{0,99}#\\+end_${kind}\\b`, 'i')) : -1;
    const opens = isDrawer ? endOf(lines, at, /^\s{0,99}:end:\s*$/i, /^\*+ /) : closing;
    if (opens > 0) {
      block = isDrawer ? 'hidden' : (BLOCKS[kind.toLowerCase()] ?? 'quote');
      end = opens;
      return block === 'code' ? `${fence}${language}` : '';
    }
    const [, key, value = ''] = /^\s{0,99}#\+(\w+):\s*(.*)$/.exec(line) ?? [];
    if (key) return keyword(key.toLowerCase(), value);
    if (/^\s{0,99}#(?: |$)/.test(line)) return '';
    const [, stars = '', heading = ''] = /^(\*+) +(.*)$/.exec(line) ?? [];
    if (stars)
      return `${'#'.repeat(Math.min(6, stars.length + (hasTitle ? 1 : 0)))} ${inline(headingText(heading))}`;
    if (/^\s{0,99}\|[-+|]+$/.test(line)) return line.replaceAll('+', '|');
    return inline(line.replace(/^(\s{0,99}[-+] )(.+?) :: /, '$1*$2*: '));
  });
  return made.join('\n');
}

/** Returns the line that ends a block or drawer; -1 if no such line comes before `stop`: the block then stays visible. */
function endOf(lines: readonly string[], at: number, ends: RegExp, stop?: RegExp): number {
  for (let line = at + 1; line < lines.length; line++) {
    if (ends.test(lines[line]!)) return line;
    if (stop?.test(lines[line]!)) return -1;
  }
  return -1;
}

const BLOCKS: Readonly<Record<string, Block>> = {
  src: 'code',
  example: 'code',
  export: 'hidden',
  comment: 'hidden',
};

function keyword(key: string, value: string): string {
  if (key === 'title') return `# ${inline(value)}`;
  if (key === 'author' || key === 'description' || key === 'caption') return inline(value);
  if (key === 'filetags') return value.replace(/:?([^\s:]+):?/g, '#$1 ').trim();
  return '';
}

/** Returns a heading without its priority and tags. */
function headingText(heading: string): string {
  return heading
    .replace(/\[#\w\] /, '')
    .trimEnd()
    .replace(/(?<!\s)\s+:[\w@#%:]+:$/, '');
}

/** Rewrites links and emphasis of one line. Text in `=…=` and `~…~` is code, so it is not read further. */
function inline(line: string): string {
  const parts = line.split(/((?<![\w=~])[=~](?=\S)[^=~\n]*[^\s=~][=~](?![\w=~]))/);
  return parts.map((part, index) => (index % 2 === 1 ? `\`${part.slice(1, -1)}\`` : prose(part))).join('');
}

function prose(text: string): string {
  return text
    .replace(/\[\[(?:file:)?([^\][]+)\]\[([^\][]+)\]\]/g, '[$2](<$1>)')
    .replace(/\[\[((?:https?|mailto):[^\][]+)\]\]/g, '<$1>')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w/:.<(])\/(?=[^\s/])([^/\n]*[^\s/])\/(?![\w/])/g, '*$1*');
}
