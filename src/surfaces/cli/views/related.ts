/** Prints the documents that are related to a document by links, community or similarity. */
import { count, plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import type { Answer, ViewContext } from './views.ts';

type Linked = Answer<'related'>['linked'][number];

export function showRelated(answer: Answer<'related'>, context: ViewContext): void {
  const { document, linked, linked_count, community, similar, notice } = answer;
  const { print, note, terminal } = context;
  const place = ({ collection, path }: { collection: string; path: string }) =>
    terminal.colors.cyan(context.locate(collection, path));
  const heading = (text: string) => print(`\n${terminal.colors.bold(text)}`);
  print(`${place(document)}  ${oneLine(document.title)}`);
  if (linked.length > 0) {
    heading('Linked');
    for (const other of linked) {
      print(`  ${place(other)}  ${oneLine(other.title)}`);
      for (const link of other.links) print(`    ${linkLine(link, other, context)}`);
    }
    if (linked.length < linked_count) print(`  … and ${count(linked_count - linked.length)} more`);
  }
  if (community) {
    heading(`In a community with ${plural(community.documents - 1, 'other document')}`);
    for (const member of community.members) print(`  ${place(member)}  ${oneLine(member.title)}`);
    const left = community.documents - 1 - community.members.length;
    if (left > 0) print(`  … and ${count(left)} more`);
  }
  if (similar.length > 0) {
    heading('Similar');
    for (const other of similar) {
      print(
        `  ${place(other)}  ${oneLine(other.title)}   ${terminal.colors.green(other.similarity.toFixed(2))}`,
      );
    }
  }
  if (notice) note(context.advise(notice));
}

/** Describes a link, with its `path:line`, which an editor can open. */
function linkLine(link: Linked['links'][number], { distance }: Linked, { locate }: ViewContext): string {
  const slash = link.source.indexOf('/');
  const place = locate(link.source.slice(0, slash), link.source.slice(slash + 1));
  const far = distance > 1;
  const way = link.direction === 'out' ? 'linked from' : far ? 'links towards here at' : 'links here at';
  return oneLine(`${way} ${place}:${link.line} (${link.kind})${far ? `, ${distance} links away` : ''}`);
}
