import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEdges } from '../../../src/core/graph/link-edges.ts';
import { type LinkChanges, updateEdges } from '../../../src/core/graph/update-edges.ts';
import type { LinkEdges } from '../../../src/core/model/saved-state.ts';
import { documentChange, type LinkedDocument } from './document-change.ts';

type Documents = ReadonlyMap<string, LinkedDocument>;

function edgesOf(documents: Documents): LinkEdges {
  const links = new Map([...documents.values()].map((document) => [document.number, document.links]));
  return findEdges(documents.values(), (number) => links.get(number)!);
}

function update(before: Documents, after: Documents) {
  const changed = ({ links, ...document }: LinkedDocument) => [document.number, { document, links }] as const;
  const only = (these: Documents, others: Documents) =>
    new Map([...these].filter(([key, one]) => others.get(key) !== one).map(([, one]) => changed(one)));
  const changes: LinkChanges = { removed: only(before, after), added: only(after, before) };
  const byNumber = new Map([...after.values()].map((document) => [document.number, document]));
  let resolved = 0;
  const result = updateEdges(edgesOf(before), changes, {
    document: (number) => byNumber.get(number),
    all: () => byNumber.values(),
    *links() {
      for (const { number, links } of byNumber.values())
        for (const link of links) yield { document: number, link };
    },
    linksOf(number) {
      resolved++;
      return byNumber.get(number)!.links;
    },
  });
  return { ...result, resolved };
}

type Name = (number: number) => string;

const linkedRows = ({ linked }: LinkEdges, nameOf: Name = String, width = 4) =>
  linked
    .flatMap((from, at) =>
      at % 4 ? [] : [[nameOf(from), nameOf(linked[at + 1]!), linked[at + 2], linked[at + 3]]],
    )
    .map((row) => row.slice(0, width).join(' '))
    .sort();
const brokenRows = ({ broken }: LinkEdges) =>
  broken.flatMap((from, at) => (at % 2 ? [] : [`${from} ${broken[at + 1]}`])).sort();

describe('updated edges', () => {
  it('equal edges found afresh after any changes, and say whether any edge is another', () => {
    const change = fc.tuple(documentChange(), fc.constantFrom('a', 'b'), fc.boolean());
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 4 }), (rounds) => {
        let before = new Map<string, LinkedDocument>();
        let number = 0;
        for (const round of rounds) {
          const after = new Map(before);
          for (const [{ path, gone, title, aliases, links }, collection, onlyText] of round) {
            const key = `${collection}/${path}`;
            const former = onlyText ? after.get(key) : undefined;
            after.delete(key);
            const content = former ?? { title, aliases, links };
            if (!gone) after.set(key, { ...content, number: ++number, collection, path });
          }
          const { edges, isSame } = update(before, after);
          const nameIn = (of: Documents) => (number: number) =>
            [...of].find(([, one]) => one.number === number)![0];
          expect(linkedRows(edges)).toEqual(linkedRows(edgesOf(after)));
          expect(brokenRows(edges)).toEqual(brokenRows(edgesOf(after)));
          // The number of links between two documents changes no weight.
          const [then, now] = [before, after].map((of) => linkedRows(edgesOf(of), nameIn(of), 3));
          expect(isSame).toBe(JSON.stringify(then) === JSON.stringify(now));
          before = after;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('need no link resolved if only the text of a document changed', () => {
    const document = (number: number, path: string, target: string): LinkedDocument => {
      const links = [{ kind: 'wikilink', target, line: number } as const];
      return { number, collection: 'c', path, title: path, aliases: [], links };
    };
    const before = new Map([
      ['a', document(1, 'a.md', 'b')],
      ['b', document(2, 'b.md', 'a')],
    ]);
    const after = new Map(before).set('b', document(3, 'b.md', 'a'));
    const edges = { linked: [1, 3, 1, 1, 3, 1, 1, 1], broken: [] };
    expect(update(before, after)).toEqual({ edges, isSame: true, resolved: 0 });
  });
});
