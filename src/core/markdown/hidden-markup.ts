/** Finds the markup in running text that a rendered page does not show: tags, template tags, attributes, fence marks. */
import { type Edit, hide, shifted } from '../text/edits.ts';
import { type InlineSpan, inlineSpans, isHtmlName, type Tag } from '../text/inline-spans.ts';
import { type Stretch, stretchFinder } from '../text/lines.ts';
import type { RegionKind } from './blocks.ts';
import { markdown } from './markdown-it.ts';

export interface Page {
  readonly isMdx: boolean;
  /** Names of tags that have a closing tag on the page. */
  readonly closed: ReadonlySet<string>;
}

/** Marks of lists and quotes at the start of a line. */
const LINE = String.raw`^(?<before>[ \t>]*(?:[-*+][ \t]+)?)`;
const EXPRESSION = /\{(?:[^{}]|\{[^{}]{0,300}\}){0,500}\}/.source;

/** Hides the match of a pattern, except its groups `before` (the text before the markup) and `title` (visible text). */
interface Rule {
  /** Texts without these characters are skipped. */
  readonly signs: string;
  readonly pattern: RegExp;
}

/** @param parts parts of the pattern, to be joined */
const rule = (signs: string, flags: string, ...parts: readonly string[]): Rule => {
  return { signs, pattern: new RegExp(parts.join(''), flags) };
};
const raw = String.raw;

/** Makes a rule for admonitions and tabs that begin with these signs, such as `!!! note "Title"`. */
const admonition = (signs: string): Rule =>
  rule(
    signs,
    'dgm',
    raw`${LINE}(?:!!!|\?\?\?\+?|===[+!]?(?=[ \t]+"))(?:[ \t]+[\w-]+){0,4}(?:[ \t]+"(?<title>[^"\n]{0,300})")?[ \t]*$`,
  );

const RULES: readonly Rule[] = [
  // {% tag of Jekyll or Jinja %}, {{< macro of Hugo >}}, {# comment of Jinja #}, {/* comment of MDX */}
  rule('{%', 'g', raw`\{%(?:[^%{]|%(?!\})|\{(?!%)){0,1000}%\}`),
  rule('{{', 'g', raw`\{\{[<%/][^{}]{0,1000}[>%/]\}\}`),
  rule('{#', 'g', raw`\{#[ \t][^{}\n]{0,300}#\}`),
  rule('{/*', 'g', raw`\{\/\*(?:[^*{]|\*(?!\/\})|\{(?!\/\*)){0,3000}\*\/\}`),
  // %%comment of Obsidian%%: without white space at its ends, or whole lines
  rule('%%', 'g', raw`(?<![%\w\\])%%(?![%\d\s])(?:[^%\n]|%(?!%)){1,1000}(?<![\d\s])%%(?![%\w])`),
  rule('%%', 'dgm', raw`${LINE}%%(?![%\d])(?:[^%\n]|%(?!%)|\n(?![ \t]*\n)){1,2000}%%[ \t]*$`),
  // id:: and collapsed:: of blocks in Logseq
  rule(':: ', 'gm', raw`${LINE}(?:id:: [\da-f-]{36}|collapsed:: (?:true|false))[ \t]*$`),
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
  // At the end of a heading: {#id}, { .class }, {: #id }, also an id without its closing brace.
  rule(
    '{',
    'g',
    raw`(?<!\{)(?:[ \t]{0,9}\{:?[ \t]{0,9}(?:[.#][^{}\n\s][^{}\n]{0,300}\}|#[\w-]{1,100})){1,9}`,
    raw`(?=[ \t]*(?:#+[ \t]*)?(?:\n|$))`,
  ),
];
/** MDX: expressions, and lines of brackets that remain when an expression is removed. */
const MDX_RULES: readonly Rule[] = [
  rule('{', 'g', EXPRESSION),
  rule('', 'gm', raw`^[ \t]*[{}()[\],;]+[ \t]*$`),
];
const DECLARATION = rule('<', 'gi', '<[!?][a-z][^<>]{0,500}>');
const INDENT = rule('', 'gm', raw`^[ \t]+`);

const IMPORT = raw`import\s+(?:type\s+)?(?:[\w$*{},\s]{1,1000}\sfrom\s+)?["'][^"'\n]{1,300}["'];?[ \t]*(?:\n|$)`;
/** Declarations of MDX. The pattern checks the syntax, because a sentence may begin with "export default settings". */
const EXPORTED = [
  raw`(?:const|let|var)\s[^\n=]*=`,
  raw`(?:default\s+)?(?:async\s+)?function\b[ \t*]*[\w$]*\(`,
  raw`default\s+(?:\{|[\w$.]+;(?=[ \t]*(?:\n|$))|class\s[^\n]*\{|(?:async\s*)?\([^\n]*=>)`,
  raw`\{[\w$,\s]{0,1000}\}(?=\s+from\s|[ \t;]*(?:\n|$))`,
].join('|');
const EXPORT = raw`export\s+(?:${EXPORTED})[^\n]*(?:\n|$)`;
const IMPORTS = new RegExp(`^(?:${IMPORT}|${EXPORT})+`);
const MODULE = /^(?:import|export)\s/;

/** Formulas. Their braces and percent signs are content, not markup. */
const MATH = /\$\$[^$]{1,2000}\$\$|\$[^\s$](?:[^$\n]{0,300}[^\s$])?\$(?!\d)/g;
/** Attributes of components that are visible as headings and labels. */
const SHOWN_ATTRIBUTE = /\s(?:title|label|summary|heading)=(?:"([^"]+)"|'([^']+)')/dg;

/**
 * Returns the edits that hide markup in a heading, a paragraph, a table row or a block of HTML, and decode its entities. Code,
 * addresses and formulas are kept.
 */
export function hiddenMarkup(text: string, kind: RegionKind, page: Page): Edit[] {
  if (kind === 'text' && MODULE.test(text)) {
    const end = page.isMdx ? text.length : (IMPORTS.exec(text)?.[0].length ?? 0);
    if (end > 0) return [hide(0, end), ...shifted(hiddenMarkup(text.slice(end), kind, page), end)];
  }
  const rules = rulesFor(text, kind, page);
  if (rules.length === 0 && !/[<&]/.test(text)) return [];
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
  if (!text.includes('&')) return edits;
  const targets = spans.flatMap(({ kind: type, start, shown, end }): Stretch[] =>
    type === 'link' ? [[shown[1], end]] : type === 'wikilink' ? [[start, end]] : [],
  );
  const kept = [...closed, ...targets].sort((a, b) => a[0] - b[0]);
  return [...edits, ...entityEdits(text, kept)];
}

function rulesFor(text: string, kind: RegionKind, { isMdx }: Page): readonly Rule[] {
  const rules = (kind === 'heading' ? HEADING_RULES : RULES).filter(({ signs }) => text.includes(signs));
  if (isMdx) rules.push(...MDX_RULES);
  if (kind === 'html') rules.push(DECLARATION, ...(/<pre\b/i.test(text) ? [] : [INDENT]));
  return rules;
}

/** Returns the stretches of code, addresses and formulas, sorted. */
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

/** HTML names that are also common placeholders. Such a name is a tag only if it has an attribute value or a closing tag. */
const WHERE_CLOSED =
  /^(?:[a-z]|audio|big|body|button|fieldset|form|head|html|label|legend|main|nav|noscript|object|option|script|select|strike|style|svg|template|textarea|title|tt)$/i;

/**
 * Whether text in angle brackets is a tag to hide. In a block of HTML, nearly everything is a tag. In running text, three kinds
 * are hidden: HTML tags, tags of components, and tags with an attribute value. `Vec<T>`, `<file>` and `<thinking>` stay visible:
 * types, placeholders and XML names are words of their sentence.
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

const ENTITY = /(?<!\\)&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,31});/gi;
/** Characters that Markdown reads as marks, `&` and `<` only before certain characters. */
const MARK = /^(?:[\\`*_~$|[\]]|&#?\w+;|<[a-z/!?])/i;
const LINE_MARK = /^[>#+=-]/;

/**
 * Returns the edits that show entities as characters. A character that would be a mark of Markdown gets a backslash. An entity of
 * white space, such as `&Tab;`, becomes one space, so that it cannot indent a line.
 * @param closed stretches without entities, such as code; sorted, without overlaps
 */
function entityEdits(text: string, closed: readonly Stretch[]): Edit[] {
  const closedAt = stretchFinder(closed);
  return [...text.matchAll(ENTITY)].flatMap(({ 0: entity, index: start }): Edit[] => {
    const shown = markdown.utils.unescapeAll(entity);
    if (shown === entity || closedAt(start)) return [];
    const end = start + entity.length;
    if (shown.trim() === '') return [{ start, end, shown: ' ' }];
    const line = shown + text.slice(end, end + 32);
    const isMark = MARK.test(line) || (LINE_MARK.test(line) && beginsLine(text, start));
    return [{ start, end, shown: isMark ? `\\${shown}` : shown }];
  });
}

function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t>*+-]*$/.test(text.slice(Math.max(0, at - 32), at));
}
