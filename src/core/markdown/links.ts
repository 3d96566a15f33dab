/** Reads links and tags in the running text of a document. */
import type { LinkKind } from '../model/document.ts';
import { type InlineSpan, inlineSpans } from '../text/inline-spans.ts';
import type { Region } from './blocks.ts';
import { type LinkTarget, parseRelative, parseWikilink } from './link-targets.ts';
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
 * Reads one link. If the document has a link definition with the name of a wikilink, as Foam writes it, the definition gives the
 * target of the link. The name becomes the label, which is tried if the target does not exist.
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
