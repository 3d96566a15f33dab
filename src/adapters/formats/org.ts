/** Converts Org to Markdown, one line for one line: line numbers are those of the file. */
import { type Convert, textOf } from './converted.ts';

export const convert: Convert = (bytes) => ({ markdown: orgToMarkdown(textOf(bytes)) });

type Block = 'code' | 'quote' | 'hidden';

export function orgToMarkdown(text: string): string {
  const hasTitle = /^#\+title:/im.test(text);
  let block: Block | undefined;
  const lines = text.split(/\r?\n/).map((line) => {
    if (block !== undefined) {
      if (/^\s*(?:#\+end_|:end:)/i.test(line)) {
        const wasCode = block === 'code';
        block = undefined;
        return wasCode ? '```' : '';
      }
      if (block === 'hidden') return '';
      return block === 'code' ? line : `> ${inline(line)}`;
    }
    const [, kind = '', language = ''] = /^\s*#\+begin_(\w+)\s*([\w+-]*)/i.exec(line) ?? [];
    if (kind) {
      block = BLOCKS[kind.toLowerCase()] ?? 'quote';
      return block === 'code' ? `\`\`\`${language}` : '';
    }
    if (/^\s*:(?:properties|logbook):\s*$/i.test(line)) {
      block = 'hidden';
      return '';
    }
    const [, key, value = ''] = /^\s*#\+(\w+):\s*(.*)$/.exec(line) ?? [];
    if (key) return keyword(key.toLowerCase(), value);
    if (/^\s*#(?: |$)/.test(line)) return '';
    const [, stars = '', heading = ''] = /^(\*+) +(.*)$/.exec(line) ?? [];
    if (stars)
      return `${'#'.repeat(Math.min(6, stars.length + (hasTitle ? 1 : 0)))} ${inline(headingText(heading))}`;
    if (/^\s*\|[-+|]+$/.test(line)) return line.replaceAll('+', '|');
    return inline(line.replace(/^(\s*[-+] )(.+?) :: /, '$1*$2*: '));
  });
  return lines.join('\n');
}

const BLOCKS: Readonly<Record<string, Block>> = {
  src: 'code',
  example: 'code',
  export: 'hidden',
  comment: 'hidden',
};

function keyword(key: string, value: string): string {
  if (key === 'title') return `# ${inline(value)}`;
  if (key === 'filetags') return value.replace(/:?([^\s:]+):?/g, '#$1 ').trim();
  return '';
}

/** Returns a heading without its priority and tags. */
function headingText(heading: string): string {
  return heading.replace(/\[#\w\] /, '').replace(/\s+:[\w@#%:]+:\s*$/, '');
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
