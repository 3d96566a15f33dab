/** Converts reStructuredText to Markdown. Each line becomes one line, so line numbers stay the same. */
import { type Convert, textOf } from './converted.ts';

export const convert: Convert = (bytes) => ({ markdown: rstToMarkdown(textOf(bytes)) });

/** The indented lines below a directive, a comment or `::`. */
interface Part {
  readonly kind: 'code' | 'text' | 'links' | 'hidden';
  /** Indentation of the line that introduces the part. The part ends before the first line with this indentation or less. */
  readonly outer: number;
  /** Indentation of the first line of the part; it is removed from every line. */
  inner?: number;
  /** Whether only options such as `:linenos:` were read so far. */
  isHead: boolean;
  /** Whether the opening fence of the code must still be written, into the blank line above the code. */
  needsFence: boolean;
  /** Index of the opening fence in the output lines. */
  fenceAt: number;
}

export function rstToMarkdown(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replaceAll('\t', '        '));
  const fence = text.includes('```') ? '`````' : '```';
  const headings: string[] = [];
  const parts: Part[] = [];
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (indent < 0) {
      if (parts.length > 0) parts.at(-1)!.isHead = false;
      out.push('');
      continue;
    }
    while (parts.length > 0 && indent <= parts.at(-1)!.outer) close(parts.pop()!);
    const part = parts.at(-1);
    if (part?.isHead && /^\s*:[\w-]+:(?:\s|$)/.test(line)) out.push('');
    else {
      if (part) begin(part, indent);
      const own = line.slice(Math.min(indent, part?.inner ?? 0));
      out.push(part?.kind === 'code' ? own : part?.kind === 'hidden' ? '' : prose(own, at, indent, part));
    }
  }
  while (parts.length > 0) close(parts.pop()!, true);
  return out.join('\n');

  function prose(own: string, at: number, indent: number, part: Part | undefined): string {
    const style = parts.length === 0 ? headingStyle(lines, at) : undefined;
    if (style === 'line') return '';
    if (style !== undefined) {
      if (!headings.includes(style)) headings.push(style);
      return `${'#'.repeat(Math.min(6, headings.indexOf(style) + 1))} ${inline(own.trim())}`;
    }
    const [, typed, said = ''] = /^\s*\.\. (?:\|[^|]+\| )?([\w:.+-]+)::(?: +(.*))?$/.exec(own) ?? [];
    if (typed !== undefined) return directive(typed.toLowerCase(), said, indent);
    const [, field, value = ''] = /^:([^:`]{1,60}):(?: +(.*))?$/.exec(own) ?? [];
    if (field !== undefined) return `- **${field}:** ${inline(value)}`;
    const [, note, noted = ''] = /^\s*\.\. \[([^\]]+)\] ?(.*)$/.exec(own) ?? [];
    if (note !== undefined) {
      open('text', indent);
      return `[${note.replace(/^#/, '')}] ${inline(noted)}`;
    }
    const [, target, address] = /^\s*\.\. _([^:]+): (https?:\S+)$/.exec(own) ?? [];
    if (target !== undefined) return `[${target}](${address})`;
    if (/^\s*__(?:\s|$)/.test(own)) return '';
    if (/^\s*\.\.(?: |$)/.test(own)) {
      open('hidden', indent);
      return '';
    }
    if (part?.kind === 'links') return `- ${link(own.trim())}`;
    if (!own.endsWith('::')) return inline(own);
    open('code', indent).needsFence = true;
    return own.trim() === '::' ? '' : inline(own.slice(0, -1));
  }

  function directive(name: string, said: string, indent: number): string {
    // A formula on the directive's own line has no block below it.
    if (name === 'math' && said) return `\`${said}\``;
    if (CODE.test(name)) {
      open('code', indent);
      return `${fence}${name === 'math' ? 'latex' : said}`;
    }
    if (name === 'toctree') open('links', indent);
    else open(HIDDEN.test(name) ? 'hidden' : 'text', indent);
    if (HIDDEN.test(name) || SILENT.test(name)) return '';
    const label = NOTES.test(name) ? `**${name[0]!.toUpperCase()}${name.slice(1)}:** ` : '';
    // The signature of a function, class or option is written as code.
    return name.includes(':') || SIGNATURES.test(name) ? `\`${said}\`` : `${label}${inline(said)}`;
  }

  function open(kind: Part['kind'], outer: number): Part {
    const part = { kind, outer, isHead: true, needsFence: false, fenceAt: out.length };
    parts.push(part);
    return part;
  }

  function begin(part: Part, indent: number): void {
    part.isHead = false;
    part.inner ??= indent;
    if (part.needsFence && out.at(-1) === '') {
      part.fenceAt = out.length - 1;
      out[part.fenceAt] = fence;
      part.needsFence = false;
    }
  }

  /** Writes the closing fence into the blank line below the code. Without code or blank line, removes the opening fence. */
  function close({ kind, needsFence, fenceAt, inner }: Part, isEnd = false): void {
    if (kind !== 'code' || needsFence) return;
    const last = out.findLastIndex((line) => line !== '');
    if (inner !== undefined && last + 1 < out.length) out[last + 1] = fence;
    else if (inner !== undefined && isEnd) out.push(fence);
    else out[fenceAt] = '';
  }
}

const CODE = /^(?:code|code-block|sourcecode|parsed-literal|doctest|testcode|prompt|math)$/;
const HIDDEN =
  /^(?:raw|include|index|meta|contents|currentmodule|default-role|role|image|highlight|toctree)$/;
/** Directives whose argument is left out, because only the lines below the directive say something to a reader. */
const SILENT = /^(?:figure|container|only)$/;
const NOTES = /^(?:note|warning|tip|hint|important|caution|danger|error|attention|seealso|deprecated)$/;
const SIGNATURES =
  /^(?:auto)?(?:function|class|method|attribute|data|exception|module|decorator|option|envvar)$/;

/** Punctuation that underlines or overlines a heading. */
const RULE = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

/**
 * Returns the style of the heading whose text is line `at`: the punctuation mark, twice if the heading is also overlined. Returns
 * `'line'` if line `at` itself is such punctuation. The order in which the styles appear in a file determines their levels.
 */
function headingStyle(lines: readonly string[], at: number): string | undefined {
  const rule = (index: number) => RULE.exec(lines[index] ?? '')?.[1];
  const isText = (index: number) => /\S/.test(lines[index] ?? '') && rule(index) === undefined;
  const mark = rule(at);
  if (mark === undefined) {
    const below = rule(at + 1);
    if (below === undefined || lines[at + 1]!.trim().length < Math.min(lines[at]!.trim().length, 4))
      return undefined;
    return rule(at - 1) === below ? below + below : below;
  }
  const isUnder = isText(at - 1);
  const isOver = isText(at + 1) && rule(at + 2) === mark;
  return isUnder || isOver ? 'line' : undefined;
}

/** @param entry a document such as `wicks`, or `All about wicks <wicks>` */
function link(entry: string): string {
  const [, title = entry, target = entry] = /^(.+?) ?<([^>]+)>$/.exec(entry) ?? [];
  return `[${title}](${/\.[a-z]\w*$|:\/\//i.test(target) ? target : `${target}.rst`})`;
}

/** Matches a one-word reference, such as `quickref__`, but no name that begins with `_`, such as `__init__`. */
const NAMED = /(?<![\w`/.-])([A-Za-z][A-Za-z0-9-]*)__?(?=[\s),.;:!?]|$)/g;

/** Rewrites the roles and links of one line. */
function inline(line: string): string {
  return line
    .split(/(``[^`]+``)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/`([^`<]+?) <[^`>]+_>`__?/g, '$1')
            .replace(/`([^`<]+?) <([^`>]+)>`__?/g, '[$1]($2)')
            .replace(/\[#?([\w-]{1,60})\]_/g, '[$1]')
            .replace(/(?::std)?:doc:`([^`]+)`/g, (_, entry: string) => link(entry))
            .replace(/:(?:ref|term|any):`([^`<]+?) ?(?:<[^`>]+>)?`/g, '$1')
            .replace(/:[\w:.+-]{1,60}:`([~!]?)([^`]+)`/g, '`$2`')
            .replace(/`([^`]+)`__?(?!\w)/g, '$1')
            .replace(NAMED, '$1'),
    )
    .join('');
}
