/** Parses link targets: the content of `[[…]]`, the destination of `[…](…)`, and the front matter field `related`. */
import type { Link } from '../model/document.ts';
import { decodePercent } from '../text/anchor-name.ts';

export type LinkTarget = Pick<Link, 'target' | 'anchor' | 'label'>;

/** Web address in a wikilink. It must have `://`, because titles may contain a colon. */
const WEB_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A destination with a scheme or a host (RFC 3986, 4.2). */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * Reads `Target`, `Target|label`, `Target#Heading`, `Target#^block`. Returns undefined for a link to the same document or the
 * web.
 */
export function parseWikilink(inner: string): LinkTarget | undefined {
  const bar = inner.indexOf('|');
  // Inside a table, the bar is written `\|`.
  const place = (bar === -1 ? inner : inner.slice(0, bar).replace(/\\$/, '')).trim();
  const label = bar === -1 ? '' : inner.slice(bar + 1).trim();
  if (WEB_ADDRESS.test(place)) return undefined;
  return linkTarget(...splitAnchor(place), label);
}

/** Reads a relative destination such as `../y.md#z`. Returns undefined for the web, mail, or a place in the same document. */
export function parseRelative(destination: string, label: string): LinkTarget | undefined {
  if (ABSOLUTE.test(destination)) return undefined;
  const [place, anchor] = splitAnchor(destination);
  const query = place.indexOf('?');
  const path = query === -1 ? place : place.slice(0, query);
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
  let at = Math.max(
    0,
    lines.findIndex((line) => /^["']?related["']?\s*[:=]/.test(line)),
  );
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
  const markdownLink = /^\[([^[\]]*)\]\(([^()\s]*)\)$/.exec(member);
  const targets =
    wikilinks.length > 0
      ? wikilinks
      : [markdownLink ? parseRelative(markdownLink[2]!, markdownLink[1]!) : parseRelative(member, '')];
  return targets.filter((target) => target !== undefined);
}
