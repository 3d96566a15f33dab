import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkGraph, type LinkedDocument } from '../../../src/core/graph/link-graph.ts';
import { type LinkChanges, updateEdges } from '../../../src/core/graph/update-edges.ts';
import { documentChange } from './document-change.ts';

type Documents = ReadonlyMap<string, LinkedDocument>;

/** All edges by a graph of all documents. */
function edgesOf(documents: Documents): number[] {
  const graph = createLinkGraph();
  for (const document of documents.values()) graph.put(document);
  return [...documents.values()].flatMap(({ number }) => {
    const strongest = new Map<number, number>();
    for (const { other, link } of graph.outgoing(number)) {
      const weight = link.kind === 'relative' ? 0.85 : 1;
      strongest.set(other, Math.max(strongest.get(other) ?? 0, weight));
    }
    return [...strongest].flatMap(([other, weight]) => [number, other, weight]);
  });
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

const rows = (edges: readonly number[], nameOf = (number: number) => String(number)) =>
  edges
    .flatMap((from, at) => (at % 3 ? [] : `${nameOf(from)} ${nameOf(edges[at + 1]!)} ${edges[at + 2]}`))
    .sort();

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
          expect(rows(edges)).toEqual(rows(edgesOf(after)));
          const [then, now] = [before, after].map((of) => rows(edgesOf(of), nameIn(of)));
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
    expect(update(before, after)).toEqual({ edges: [1, 3, 1, 3, 1, 1], isSame: true, resolved: 0 });
  });
});
