import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEdges } from '../../../src/core/graph/link-edges.ts';
import { createLinkGraph, type LinkGraph } from '../../../src/core/graph/link-graph.ts';
import { createLiveLinks } from '../../../src/core/graph/live-links.ts';
import type { Link } from '../../../src/core/model/document.ts';
import { documentChange, type LinkedDocument } from './document-change.ts';

function linked(
  number: number,
  path: string,
  targets: readonly string[],
  more: Partial<LinkedDocument> = {},
): LinkedDocument {
  const links = targets.map((target, index): Link => ({ kind: 'wikilink', target, line: index + 1 }));
  return { number, collection: 'c', path, title: path, aliases: [], links, ...more };
}

function graphOf(documents: readonly LinkedDocument[]): LinkGraph {
  const byNumber = new Map(documents.map((document) => [document.number, document]));
  const linksOf = (number: number) => byNumber.get(number)!.links;
  const document = (number: number) => byNumber.get(number);
  return createLinkGraph(findEdges(documents, linksOf), { document, all: () => documents, linksOf });
}

function pairsOf(graph: LinkGraph) {
  return [...graph.pairs()].sort(([a, b], [c, d]) => a - c || b - d);
}

function brokenOf(graph: LinkGraph) {
  return [...graph.broken()].map(({ source, link }) => [source, link.target]);
}

describe('the link graph', () => {
  it('sees links in both directions, by the strongest kind', () => {
    const links: Link[] = [
      { kind: 'related', target: 'b', line: 1 },
      { kind: 'relative', target: 'b.md', line: 2 },
    ];
    const graph = graphOf([linked(1, 'a.md', [], { links }), linked(2, 'b.md', [])]);
    expect([...graph.neighbours(1)]).toEqual([[2, 0.85]]);
    expect([...graph.neighbours(2)]).toEqual([[1, 0.85]]);
  });

  it.each([
    ['transclusion', 1],
    ['wikilink', 1],
    ['relative', 0.85],
    ['related', 0.7],
  ] as const)('weighs a link by its kind: %s %d', (kind, weight) => {
    const links: Link[] = [{ kind, target: 'b', line: 1 }];
    const graph = graphOf([linked(1, 'a.md', [], { links }), linked(2, 'b.md', [])]);
    expect(pairsOf(graph)).toEqual([[1, 2, weight]]);
  });

  it('tells links of a document from links to it, with their lines, and leaves out those to itself', () => {
    const graph = graphOf([linked(1, 'a.md', ['b', 'a', 'gone', 'b']), linked(2, 'b.md', ['a'])]);
    const seen = (links: ReturnType<LinkGraph['outgoing']>) =>
      [...links].map(([other, own]) => [other, own.map(({ line }) => line)]);
    expect(seen(graph.outgoing(1))).toEqual([[2, [1, 4]]]);
    expect(seen(graph.incoming(1))).toEqual([[2, [1]]]);
    expect([graph.count(1, 'out'), graph.count(1, 'in'), graph.count(2, 'in')]).toEqual([2, 1, 2]);
    expect([graph.outgoing(9).size, graph.incoming(9).size, graph.count(9, 'out')]).toEqual([0, 0, 0]);
  });

  it('leaves out documents that are gone, whose edges a killed run may leave', () => {
    const here = linked(1, 'a.md', ['gone']);
    const documents = {
      document: (number: number) => (number === 1 ? here : undefined),
      all: () => [here],
      linksOf: (number: number) => (number === 1 ? here.links : []),
    };
    const graph = createLinkGraph(
      { linked: [1, 2, 1, 1, 3, 1, 1, 1], broken: [3, 0, 1, 0, 1, 7] },
      documents,
    );
    expect([graph.neighbours(1).size, graph.count(1, 'out'), graph.count(1, 'in')]).toEqual([0, 0, 0]);
    expect(pairsOf(graph)).toEqual([]);
    expect(brokenOf(graph)).toEqual([[1, 'gone']]);
  });

  it('takes cycles, links to itself and links said twice', () => {
    const graph = graphOf([linked(1, 'a.md', ['b', 'a', 'b']), linked(2, 'b.md', ['a'])]);
    expect(pairsOf(graph)).toEqual([[1, 2, 1]]);
    expect(graph.countBroken()).toBe(0);
  });

  it('takes a cycle of any length, and a document that links to nothing but itself', () => {
    const ring = Array.from({ length: 50 }, (_, i) => linked(i, `n${i}.md`, [`n${(i + 1) % 50}`, `n${i}`]));
    const graph = graphOf([...ring, linked(99, 'alone.md', ['alone'])]);
    expect(pairsOf(graph)).toHaveLength(50);
    expect(graph.neighbours(99).size).toBe(0);
    expect(graph.countBroken()).toBe(0);
  });

  it('resolves inside a collection only', () => {
    const graph = graphOf([linked(1, 'a.md', ['b']), linked(2, 'b.md', [], { collection: 'other' })]);
    expect(pairsOf(graph)).toEqual([]);
  });

  it('keeps what leads nowhere, but for media and pages of a web site', () => {
    const graph = graphOf([
      linked(2, 'b.md', ['x.png', 'gone', 'Film.MP4']),
      linked(3, 'c.md', [], { links: [{ kind: 'relative', target: '/site/page', line: 1 }] }),
      linked(1, 'a.md', ['also gone']),
    ]);
    expect(brokenOf(graph)).toEqual([
      [1, 'also gone'],
      [2, 'gone'],
    ]);
    expect(graph.countBroken()).toBe(2);
  });

  it('takes a hub with 10,000 links in its stride', () => {
    const leaves = Array.from({ length: 10_000 }, (_, i) =>
      linked(i + 1, `folder-${i % 100}/leaf-${i}.md`, ['hub']),
    );
    const hub = linked(
      0,
      'hub.md',
      leaves.map((_, i) => `leaf-${i}`),
    );
    const began = process.cpuUsage();
    const graph = graphOf([hub, ...leaves]);
    expect(graph.neighbours(0).size).toBe(10_000);
    const links = leaves.map(({ number }) => [...graph.incoming(number), ...graph.outgoing(number)].length);
    expect(links).toEqual(leaves.map(() => 2));
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2_000);
  });

  it('takes 2,000 documents of one name and as many links to it', () => {
    const all = Array.from({ length: 2_000 }, (_, i) => linked(i, `folder-${i}/index.md`, []));
    const links = Array.from({ length: 2_000 }, (_, i) => linked(10_000 + i, `x/page-${i}.md`, ['INDEX']));
    const began = process.cpuUsage();
    const graph = graphOf([...all, ...links]);
    expect([...graph.neighbours(10_000).keys()]).toEqual([0]);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2_000);
  });
});

describe('links that change', () => {
  it('are resolved again when a better match comes and goes', () => {
    const links = createLiveLinks();
    const put = (document: LinkedDocument) => links.put(document, document.links);
    const linkedTo = (number: number) => [...links.graph().neighbours(number).keys()];
    put(linked(1, 'a/x.md', ['note']));
    put(linked(2, 'b/note.md', []));
    expect(linkedTo(1)).toEqual([2]);
    put(linked(3, 'a/note.md', []));
    expect([linkedTo(1), linkedTo(2)]).toEqual([[3], []]);
    links.remove(3);
    expect(linkedTo(1)).toEqual([2]);
    links.remove(2);
    links.remove(2);
    expect(brokenOf(links.graph())).toEqual([[1, 'note']]);
  });

  it('equal a graph made afresh after any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(documentChange(), { maxLength: 25 }), (changes) => {
        const live = createLiveLinks();
        const now = new Map<string, LinkedDocument>();
        for (const [number, { path, gone, title, aliases, links, asked }] of changes.entries()) {
          const before = now.get(path);
          if (before) live.remove(before.number);
          now.delete(path);
          if (!gone) {
            const document = { number, collection: 'c', path, title, aliases, links };
            now.set(path, document);
            live.put(document, links);
          }
          if (asked) live.graph();
        }
        const [graph, fresh] = [live.graph(), graphOf([...now.values()].reverse())];
        expect(pairsOf(graph)).toEqual(pairsOf(fresh));
        expect(brokenOf(graph)).toEqual(brokenOf(fresh));
        for (const { number } of now.values()) {
          const tell = ({ outgoing, incoming, count }: LinkGraph) => [
            new Map(outgoing(number)),
            [...incoming(number)],
            [count(number, 'out'), count(number, 'in')],
          ];
          expect(tell(graph)).toEqual(tell(fresh));
          const inText = [...graph.outgoing(number).values()].flat().length;
          expect(graph.count(number, 'out')).toBe(inText);
        }
      }),
      { numRuns: 500 },
    );
  });
});
