/** Reads links from the front matter field `related`: wikilinks, paths or titles. */
import type { Link } from '../model/document.ts';
import { parseRelative, parseWikilink } from './link-targets.ts';

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
