/** The markup in running text that a rendered page does not show: tags, template tags, attributes, marks of fences. */
import type { Edit } from '../text/edits.ts';
import { inlineSpans, isHtmlName, type Tag } from '../text/inline-spans.ts';
import type { Stretch } from '../text/lines.ts';
import type { RegionKind } from './blocks.ts';

export interface Page {
  readonly isMdx: boolean;
  /** Names of which the page has a closing tag. */
  readonly closed: ReadonlySet<string>;
}

/** Marks of lists and quotes before the text of a line. */
const LINE = String.raw`^(?<before>[ \t>]*(?:[-*+][ \t]+)?)`;
const EXPRESSION = /\{(?:[^{}]|\{[^{}]{0,300}\}){0,500}\}/.source;

/** A rule hides what it matches, except its groups `before`, which must stand there, and `title`, which readers see. */
const RULES: readonly RegExp[] = [
  // {% Liquid %}, {{ Jinja }}, {# its comment #}, {/* MDX's comment */}, %% Obsidian's comment %%
  /\{%(?:[^%{]|%(?!\})|\{(?!%)){0,1000}%\}/g,
  new RegExp(String.raw`\{${EXPRESSION}\}`, 'g'),
  /\{#[ \t][^{}\n]{0,300}#\}/g,
  /\{\/\*(?:[^*{]|\*(?!\/\})|\{(?!\/\*)){0,1000}\*\/\}/g,
  /(?<![%\w\\])%%(?![%\d])(?:[^%]|%(?!%)){1,2000}%%/g,
  // {: .class } of Kramdown, {.class} and {width=50%} of Pandoc
  /[ \t]?\{:[ \t]*(?:[.#][a-z]|[\w-]+=|toc\})[^{}\n]{0,300}\}?/gi,
  /(?<=[)\]*"`])\{[ \t]*[.#][a-z][^{}\n]{0,300}\}/gi,
  /(?<=[)\]])\{[ \t]*[\w-]+=[^{}\n]{1,300}\}/g,
  // :::note Title, :::tip[Title]{.class}; of DocFX :::image …:::, :::zone …, [!INCLUDE [name](path)], [!NOTE]
  /:::no-loc text="(?<title>[^"\n]{0,300})":::/dg,
  /:::(?:image|row|column|video|no-loc)(?:-end)?\b(?:[^:\n]|:(?!::)){0,1000}:::/g,
  new RegExp(
    String.raw`${LINE}:{3,}[ \t]*(?:(?:code|image|moniker|video|zone)(?:-end)?\b[^\n]*|(?:[\w-]*(?:\[(?=[^\n]*\])|[ \t]+(?!\{))(?<title>[^\]\n{]{1,300})\]?|[\w-]*)[ \t]{0,9}(?:\{[^\n]*\})?:*[ \t]*)$`,
    'dgm',
  ),
  /\[![a-z][\w-]{0,50}[ \t]?\[[^\]\n]{0,300}\](?:\([^)\n]{0,500}\))?[ \t]?\]/gi,
  /\[!(?:div|video)\b[^\]\n]{0,500}\]/gi,
  new RegExp(String.raw`${LINE}\[![a-z][\w-]{0,50}(?:\|[^\]\n]{0,100})?\][+-]?(?:[ \t]+|$)`, 'dgim'),
  // !!! note "Title", ??? note, === "Tab", /// tip | Title
  new RegExp(
    String.raw`${LINE}(?:!!!|\?\?\?\+?|===[+!]?(?=[ \t]+"))(?:[ \t]+[\w-]+){0,4}(?:[ \t]+"(?<title>[^"\n]{0,300})")?[ \t]*$`,
    'dgm',
  ),
  new RegExp(
    String.raw`${LINE}/{3,}(?:[ \t]+[\w-]+)?(?:[ \t]*\|[ \t]*(?<title>[^\n]{0,300}))?[ \t]*$`,
    'dgm',
  ),
];

/** At the end of a heading: {#id}, { .class }, {: #id }; and an id that lacks its brace. */
const HEADING_ATTRIBUTES =
  /(?<!\{)[ \t]{0,9}\{:?[ \t]{0,9}(?:[.#][^{}\n\s][^{}\n]{0,300}\}|#[\w-]{1,100})(?=[ \t]*(?:#+[ \t]*)?(?:\n|$))/g;
/** {.class} at the end of a line. */
const LINE_ATTRIBUTES = /(?:^|[ \t])\{[ \t]*[.#][a-z][\w-]*(?:[ \t]+[^{}\n]{0,300})?\}[ \t]*$/gim;

const IMPORT = String.raw`import\s+(?:type\s+)?(?:[\w$*{},\s]{1,1000}\sfrom\s+)?["'][^"'\n]{1,300}["'];?[ \t]*(?:\n|$)`;
const EXPORT = String.raw`export\s+(?:default|const|let|var|function|async|\{)[^\n]*(?:\n|$)`;
const IMPORTS = new RegExp(`^(?:${IMPORT}|${EXPORT})+`);
const MODULE = /^(?:import|export)\s/;
const MDX_EXPRESSION = new RegExp(EXPRESSION, 'g');
/** A line of what is left of an expression. */
const MDX_BRACES = /^[ \t]*[{}()[\],;>]+[ \t]*$/gm;

const HTML_DECLARATION = /<[!?][a-z][^<>]{0,500}>/gi;
const HTML_INDENT = /^[ \t]+/gm;

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
  if (kind !== 'html' && !/[<{:!?/%=]/.test(text)) return [];
  const isHtml = kind === 'html';
  const isTag = (tag: Tag, start: number) => isHiddenTag(tag, /\w/.test(text[start - 1] ?? ''), isHtml, page);
  const spans = inlineSpans(text, { isTag, isHtml });
  const closed = spans.filter(({ kind: of }) => of === 'code' || of === 'address').map(stretchOf);
  const edits = spans
    .filter(({ kind: of }) => of === 'html')
    .flatMap(({ start, end }) => tagEdits(text, start, end));

  const stretches = mergeSorted(closed, text.includes('$') ? [...text.matchAll(MATH)].map(matchStretch) : []);
  const rules = [
    ...RULES,
    ...(kind === 'heading' ? [HEADING_ATTRIBUTES] : [LINE_ATTRIBUTES]),
    ...(page.isMdx ? [MDX_EXPRESSION, MDX_BRACES] : []),
    ...(isHtml ? [HTML_DECLARATION, ...(/<pre\b/i.test(text) ? [] : [HTML_INDENT])] : []),
  ];
  for (const rule of rules) {
    let next = 0;
    for (const match of text.matchAll(rule)) {
      const from = match.index + (match.groups?.before?.length ?? 0);
      while (next < stretches.length && stretches[next]![1] <= from) next++;
      if ((stretches[next]?.[0] ?? Number.POSITIVE_INFINITY) <= from) continue;
      const end = match.index + match[0].length;
      const title = match.indices?.groups?.title;
      if (title) edits.push(hide(from, title[0]), hide(title[1], end));
      else edits.push(hide(from, end));
    }
  }
  return edits;
}

/** Names of HTML that are also words for a placeholder: a tag only where it has a value or is closed. */
const WHERE_CLOSED =
  /^(?:[a-z]|audio|big|body|button|fieldset|form|head|html|label|legend|main|nav|noscript|object|option|script|select|strike|style|svg|template|textarea|title|tt)$/i;

/**
 * A block of HTML holds tags. In running text, those of HTML and of components are, and any with a value;
 * `Vec<T>`, `<file>` and `<thinking>` are types, placeholders and names of XML that the sentence is about, and stay.
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
  const borders = [0, ...values.flat(), tag.length];
  return Array.from({ length: borders.length / 2 }, (_, index) => {
    return { start: start + borders[2 * index]!, end: start + borders[2 * index + 1]!, shown };
  });
}

function hide(start: number, end: number): Edit {
  return { start, end, shown: '' };
}

function moved(edits: readonly Edit[], by: number): Edit[] {
  return edits.map(({ start, end, shown }) => ({ start: start + by, end: end + by, shown }));
}

function stretchOf({ start, end }: { readonly start: number; readonly end: number }): Stretch {
  return [start, end];
}

function matchStretch(match: RegExpMatchArray): Stretch {
  return [match.index!, match.index! + match[0].length];
}

function mergeSorted(first: readonly Stretch[], second: readonly Stretch[]): readonly Stretch[] {
  return [...first, ...second].sort((a, b) => a[0] - b[0]);
}
