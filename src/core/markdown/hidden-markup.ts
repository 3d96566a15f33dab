/** The markup in running text that a rendered page does not show: tags, template tags, attributes, marks of fences. */
import type { Edit } from '../text/edits.ts';
import { type InlineSpan, inlineSpans, isHtmlName, type Tag } from '../text/inline-spans.ts';
import { type Stretch, stretchFinder } from '../text/lines.ts';
import type { RegionKind } from './blocks.ts';

export interface Page {
  readonly isMdx: boolean;
  /** Names of which the page has a closing tag. */
  readonly closed: ReadonlySet<string>;
}

/** Marks of lists and quotes before the text of a line. */
const LINE = String.raw`^(?<before>[ \t>]*(?:[-*+][ \t]+)?)`;
const EXPRESSION = /\{(?:[^{}]|\{[^{}]{0,300}\}){0,500}\}/.source;

/** Hides what the pattern matches, except its groups `before`, which must stand there, and `title`, which readers see. */
interface Rule {
  /** A text without these signs is not looked at. */
  readonly signs: string;
  readonly pattern: RegExp;
}

/** @param parts of the pattern, joined */
const rule = (signs: string, flags: string, ...parts: readonly string[]): Rule => {
  return { signs, pattern: new RegExp(parts.join(''), flags) };
};
const raw = String.raw;

/** `!!! note "Title"` and its kin. */
const admonition = (signs: string): Rule =>
  rule(
    signs,
    'dgm',
    raw`${LINE}(?:!!!|\?\?\?\+?|===[+!]?(?=[ \t]+"))(?:[ \t]+[\w-]+){0,4}(?:[ \t]+"(?<title>[^"\n]{0,300})")?[ \t]*$`,
  );

const RULES: readonly Rule[] = [
  // {% tag of Jekyll or Jinja %}, {{< macro of Hugo >}}, {# Jinja's comment #}, {/* MDX's comment */}
  rule('{%', 'g', raw`\{%(?:[^%{]|%(?!\})|\{(?!%)){0,1000}%\}`),
  rule('{{', 'g', raw`\{\{[<%/][^{}]{0,1000}[>%/]\}\}`),
  rule('{#', 'g', raw`\{#[ \t][^{}\n]{0,300}#\}`),
  rule('{/*', 'g', raw`\{\/\*(?:[^*{]|\*(?!\/\})|\{(?!\/\*)){0,1000}\*\/\}`),
  // %%Obsidian's comment%%: without blanks at its ends, or whole lines
  rule('%%', 'g', raw`(?<![%\w\\])%%(?![%\d\s])(?:[^%\n]|%(?!%)){1,1000}(?<![\d\s])%%(?![%\w])`),
  rule('%%', 'dgm', raw`${LINE}%%(?![%\d])(?:[^%\n]|%(?!%)|\n(?![ \t]*\n)){1,2000}%%[ \t]*$`),
  // {: .class } of Kramdown; {.class} and {width=50%} of Pandoc, right after a link, emphasis or code, or at the end of a line
  rule('{:', 'gi', raw`[ \t]?\{:[ \t]*(?:[.#][a-z]|[\w-]+=|toc\})[^{}\n]{0,300}\}?`),
  rule('{', 'gi', raw`(?<=[)\]*"${'`'}])\{[ \t]*[.#][a-z][^{}\n]{0,300}\}`),
  rule('{', 'g', raw`(?<=[)\]])\{[ \t]*[\w-]+=[^{}\n]{1,300}\}`),
  rule('{', 'gim', raw`(?:^|[ \t])\{[ \t]*[.#][a-z][\w-]*(?:[ \t]+[^{}\n]{0,300})?\}[ \t]*$`),
  // :::image …::: and :::zone … of DocFX, :::note Title, :::tip[Title]{.class}
  rule(':::', 'dg', raw`:::no-loc text="(?<title>[^"\n]{0,300})":::`),
  rule(':::', 'g', raw`:::(?:image|row|column|video|no-loc)(?:-end)?\b(?:[^:\n]|:(?!::)){0,1000}:::`),
  rule(
    ':::',
    'dgm',
    raw`${LINE}:{3,}[ \t]*(?:(?:code|image|moniker|video|zone)(?:-end)?\b[^\n]*|`,
    raw`(?:[\w-]*(?:\[(?=[^\n]*\])|[ \t]+(?!\{))(?<title>[^\]\n{]{1,300})\]?|[\w-]*)[ \t]{0,9}(?:\{[^\n]*\})?:*[ \t]*)$`,
  ),
  // [!INCLUDE [name](path)], [!VIDEO address], [!NOTE], [!tip]+ Title
  rule('[!', 'gi', raw`\[![a-z][\w-]{0,50}[ \t]?\[[^\]\n]{0,300}\](?:\([^)\n]{0,500}\))?[ \t]?\]`),
  rule('[!', 'gi', raw`\[!(?:div|video)\b[^\]\n]{0,500}\]`),
  rule('[!', 'dgim', raw`${LINE}\[![a-z][\w-]{0,50}(?:\|[^\]\n]{0,100})?\][+-]?(?:[ \t]+|$)`),
  // !!! note "Title", ??? note, === "Tab", /// tip | Title
  ...['!!!', '???', '==='].map(admonition),
  rule('///', 'dgm', raw`${LINE}/{3,}(?:[ \t]+[\w-]+)?(?:[ \t]*\|[ \t]*(?<title>[^\n]{0,300}))?[ \t]*$`),
];

const HEADING_RULES: readonly Rule[] = [
  ...RULES,
  // At the end: {#id}, { .class }, {: #id }, and an id that lacks its brace.
  rule(
    '{',
    'g',
    raw`(?<!\{)(?:[ \t]{0,9}\{:?[ \t]{0,9}(?:[.#][^{}\n\s][^{}\n]{0,300}\}|#[\w-]{1,100})){1,9}`,
    raw`(?=[ \t]*(?:#+[ \t]*)?(?:\n|$))`,
  ),
];
/** An expression, and a line of brackets that is left of one. */
const MDX_RULES: readonly Rule[] = [
  rule('{', 'g', EXPRESSION),
  rule('', 'gm', raw`^[ \t]*[{}()[\],;>]+[ \t]*$`),
];
const DECLARATION = rule('<', 'gi', '<[!?][a-z][^<>]{0,500}>');
const INDENT = rule('', 'gm', raw`^[ \t]+`);

const IMPORT = raw`import\s+(?:type\s+)?(?:[\w$*{},\s]{1,1000}\sfrom\s+)?["'][^"'\n]{1,300}["'];?[ \t]*(?:\n|$)`;
/** Needs the syntax: a sentence may begin with "export default settings". */
const EXPORTED = [
  raw`(?:const|let|var)\s[^\n=]*=`,
  raw`(?:default\s+)?(?:async\s+)?function\b[ \t*]*[\w$]*\(`,
  raw`default\s+(?:\{|[\w$.]+;(?=[ \t]*(?:\n|$))|class\s[^\n]*\{|(?:async\s*)?\([^\n]*=>)`,
  raw`\{[\w$,\s]{0,1000}\}(?=\s+from\s|[ \t;]*(?:\n|$))`,
].join('|');
const EXPORT = raw`export\s+(?:${EXPORTED})[^\n]*(?:\n|$)`;
const IMPORTS = new RegExp(`^(?:${IMPORT}|${EXPORT})+`);
const MODULE = /^(?:import|export)\s/;

/** Formulas, in which braces and percent signs are content. */
const MATH = /\$\$[^$]{1,2000}\$\$|\$[^\s$](?:[^$\n]{0,300}[^\s$])?\$(?!\d)/g;
/** Attributes of components that are shown as headings and labels. */
const SHOWN_ATTRIBUTE = /\s(?:title|label|summary|heading)=(?:"([^"]+)"|'([^']+)')/dg;

/** What to hide in a heading, a paragraph, a table row or a block of HTML; code, addresses and formulas stay. */
export function hiddenMarkup(text: string, kind: RegionKind, page: Page): Edit[] {
  if (kind === 'text' && MODULE.test(text)) {
    const end = page.isMdx ? text.length : (IMPORTS.exec(text)?.[0].length ?? 0);
    if (end > 0) return [hide(0, end), ...moved(hiddenMarkup(text.slice(end), kind, page), end)];
  }
  const rules = rulesFor(text, kind, page);
  if (rules.length === 0 && !text.includes('<')) return [];
  const isHtml = kind === 'html';
  const isTag = (tag: Tag, start: number) => isHiddenTag(tag, /\w/.test(text[start - 1] ?? ''), isHtml, page);
  const spans = inlineSpans(text, { isTag, isHtml });
  const edits = spans.flatMap((span) => (span.kind === 'html' ? tagEdits(text, span.start, span.end) : []));
  const closed = closedStretches(text, spans);
  for (const { pattern } of rules) {
    const closedAt = stretchFinder(closed);
    for (const match of text.matchAll(pattern)) {
      const from = match.index + (match.groups?.before?.length ?? 0);
      if (closedAt(from)) continue;
      const end = match.index + match[0].length;
      const title = match.indices?.groups?.title;
      if (title) edits.push(hide(from, title[0]), hide(title[1], end));
      else edits.push(hide(from, end));
    }
  }
  return edits;
}

function rulesFor(text: string, kind: RegionKind, { isMdx }: Page): readonly Rule[] {
  const rules = (kind === 'heading' ? HEADING_RULES : RULES).filter(({ signs }) => text.includes(signs));
  if (isMdx) rules.push(...MDX_RULES);
  if (kind === 'html') rules.push(DECLARATION, ...(/<pre\b/i.test(text) ? [] : [INDENT]));
  return rules;
}

/** Code, addresses and formulas, in order. */
function closedStretches(text: string, spans: readonly InlineSpan[]): readonly Stretch[] {
  const closed = spans.flatMap(({ kind, start, end }): Stretch[] =>
    kind === 'code' || kind === 'address' ? [[start, end]] : [],
  );
  if (!text.includes('$')) return closed;
  const formulas = [...text.matchAll(MATH)].map(
    (match): Stretch => [match.index, match.index + match[0].length],
  );
  return [...closed, ...formulas].sort((a, b) => a[0] - b[0]);
}

/** Names of HTML that also serve as placeholders: a tag only if it has a value or is closed. */
const WHERE_CLOSED =
  /^(?:[a-z]|audio|big|body|button|fieldset|form|head|html|label|legend|main|nav|noscript|object|option|script|select|strike|style|svg|template|textarea|title|tt)$/i;

/**
 * In a block of HTML nearly everything in angle brackets is a tag. In running text, tags of HTML and of components are, and those with a value.
 * `Vec<T>`, `<file>` and `<thinking>` are types, placeholders and names of XML that the sentence is about; they stay.
 */
function isHiddenTag(
  { name, attributes, isClosing, isSelfClosing }: Tag,
  isAfterWord: boolean,
  isHtml: boolean,
  { closed }: Page,
): boolean {
  if (isSelfClosing || /[={]/.test(attributes)) return true;
  const isClosed = isClosing || closed.has(name);
  if (isHtmlName(name) && name.length > 1) return true;
  return isHtml
    ? isClosed || !isAfterWord
    : isClosed && (/^[A-Z]|[.-]/.test(name) || WHERE_CLOSED.test(name));
}

const FORMATTING =
  /^<\/?(?:a|abbr|b|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|u|var|wbr)\b/i;

function tagEdits(text: string, start: number, end: number): Edit[] {
  const tag = text.slice(start, end);
  const shown = FORMATTING.test(tag) || tag.startsWith('<!') ? '' : ' ';
  if (!/^<[A-Z]/.test(tag)) return [{ start, end, shown }];
  const values = [...tag.matchAll(SHOWN_ATTRIBUTE)].map(({ indices }) => (indices![1] ?? indices![2])!);
  const boundaries = [0, ...values.flat(), tag.length];
  return Array.from({ length: boundaries.length / 2 }, (_, index) => {
    return { start: start + boundaries[2 * index]!, end: start + boundaries[2 * index + 1]!, shown };
  });
}

function hide(start: number, end: number): Edit {
  return { start, end, shown: '' };
}

function moved(edits: readonly Edit[], by: number): Edit[] {
  return edits.map(({ start, end, shown }) => ({ start: start + by, end: end + by, shown }));
}
