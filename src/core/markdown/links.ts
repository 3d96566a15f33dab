/** Reads the links and tags of a document, in its running text and in the front matter field `related`. */
import type { Link, LinkKind } from '../model/document.ts';
import { decodePercent } from '../text/anchor-name.ts';
import { type InlineSpan, inlineSpans } from '../text/inline-spans.ts';
import { wikilinkParts } from '../text/wikilink-parts.ts';
import type { Region } from './blocks.ts';
import { markdown, type ReferenceEnvironment } from './markdown-it.ts';
import { readTag } from './tags.ts';

type FoundLink = LinkTarget & {
  readonly kind: LinkKind;
  /** Offset into the text. */
  readonly at: number;
};

/** Reads all regions of running text. Links and tags are in the order of the text. */
export function readInlineMarks(
  text: string,
  regions: readonly Region[],
  { references }: ReferenceEnvironment,
) {
  const links: FoundLink[] = [];
  const tags: string[] = [];
  const definitionOf = (name: string) => references[markdown.utils.normalizeReference(name)];
  const reading = {
    isDefined: (name: string) => !name.startsWith('^') && definitionOf(name) !== undefined,
    readHash(source: string, at: number) {
      const found = readTag(source, at);
      if (found) tags.push(found.tag);
      return found?.end ?? at + 1;
    },
  };
  for (const { kind, start, end } of regions) {
    if (kind === 'html' || kind === 'code') continue;
    const source = text.slice(start, end);
    for (const span of inlineSpans(source, reading)) {
      const link = readLink(source, span, definitionOf);
      if (link) links.push({ ...link, at: start + span.start });
    }
  }
  return { links, tags };
}

/**
 * Reads one link. Foam writes link definitions for wikilinks. A wikilink with a definition has the target of the definition, and
 * its name becomes its label: if the target does not exist, the label is tried.
 */
function readLink(
  source: string,
  { kind, start, end, shown }: InlineSpan,
  definitionOf: (name: string) => { readonly href: string } | undefined,
): Omit<FoundLink, 'at'> | undefined {
  const isEmbedded = source[start] === '!';
  if (kind === 'wikilink') {
    const inner = source.slice(start + (isEmbedded ? 3 : 2), end - 2);
    const target = parseWikilink(inner);
    if (!target) return undefined;
    const definition = definitionOf(inner) ?? definitionOf(target.target);
    const defined = definition && parseRelative(definition.href, target.target);
    return { ...target, ...defined, kind: isEmbedded ? 'transclusion' : 'wikilink' };
  }
  if (kind !== 'link' || isEmbedded) return undefined;
  const label = source.slice(...shown);
  const behind = source.slice(shown[1] + 1, end);
  const destination = behind.startsWith('(')
    ? markdown.helpers.parseLinkDestination(behind, 1 + behind.slice(1).search(/\S/), behind.length).str
    : definitionOf(behind.slice(1, -1) || label)?.href;
  const target = parseRelative(destination ?? '', label.replaceAll(/\s+/g, ' ').trim());
  return target && { ...target, kind: 'relative' };
}

type LinkTarget = Pick<Link, 'target' | 'anchor' | 'label'>;

/** Web address in a wikilink. It must have `://`, because titles may contain a colon. */
const WEB_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A destination with a scheme or a host (RFC 3986, 4.2). */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * Reads `Target`, `Target|label`, `Target#Heading`, `Target#^block`. Returns undefined for a link to the same document or the
 * web.
 */
function parseWikilink(inner: string): LinkTarget | undefined {
  const bar = inner.indexOf('|');
  // Inside a table, the bar is written `\|`.
  const parts = bar === -1 ? [inner] : [inner.slice(0, bar).replace(/\\$/, ''), inner.slice(bar + 1)];
  const [place = '', label = ''] = wikilinkParts(parts[0]!, parts[1]).map((part) => part!.trim());
  if (WEB_ADDRESS.test(place)) return undefined;
  return linkTarget(...splitAnchor(place), label);
}

/** Reads a relative destination such as `../y.md#z`. Returns undefined for the web, mail, or a place in the same document. */
function parseRelative(destination: string, label: string): LinkTarget | undefined {
  if (ABSOLUTE.test(destination)) return undefined;
  const [place, anchor] = splitAnchor(destination);
  const [path = ''] = place.split('?', 1);
  return linkTarget(decodePercent(path), decodePercent(anchor), label);
}

function linkTarget(target: string, anchor: string, label: string): LinkTarget | undefined {
  if (target === '') return undefined;
  return { target, ...(anchor !== '' && { anchor }), ...(label !== '' && { label }) };
}

function splitAnchor(place: string): [place: string, anchor: string] {
  const mark = place.indexOf('#');
  return mark === -1 ? [place, ''] : [place.slice(0, mark).trim(), place.slice(mark + 1).trim()];
}

const WIKILINKS = /\[\[([^[\]\n]*)\]\]/g;
/** Line of the file where the source begins; line 1 is the fence. */
const FIRST_LINE = 2;

/** Makes links from the members of `related`, each with the line of `source` where the member is written. */
export function relatedLinks(members: readonly string[], source: string): readonly Link[] {
  const lines = members.length === 0 ? [] : source.split('\n');
  const key = lines.findIndex((line) => /^["']?related["']?\s*[:=]/.test(line));
  let at = Math.max(0, key);
  const links: Link[] = [];
  for (const member of members) {
    const found = lines.findIndex((line, index) => index >= at && line.includes(member));
    if (found !== -1) at = found;
    for (const target of targetsOf(member)) links.push({ ...target, kind: 'related', line: at + FIRST_LINE });
  }
  return links;
}

function targetsOf(member: string) {
  const wikilinks = [...member.matchAll(WIKILINKS)].map(([, inner = '']) => parseWikilink(inner));
  const [, label = '', destination = member] = /^\[([^[\]]*)\]\(([^()\s]*)\)$/.exec(member) ?? [];
  const targets = wikilinks.length > 0 ? wikilinks : [parseRelative(destination, label)];
  return targets.filter((target) => target !== undefined);
}
