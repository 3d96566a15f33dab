import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkGraph, type LinkedDocument, type LinkGraph } from '../../../src/core/graph/link-graph.ts';
import type { Link } from '../../../src/core/model/document.ts';
import { documentChange } from './document-change.ts';

function linked(
  number: number,
  path: string,
  targets: readonly string[],
  more: Partial<LinkedDocument> = {},
) {
  const links = targets.map((target, index): Link => ({ kind: 'wikilink', target, line: index + 1 }));
  return { number, collection: 'c', path, title: path, aliases: [], links, ...more };
}

function graphOf(documents: readonly LinkedDocument[]): LinkGraph {
  const graph = createLinkGraph();
  for (const document of documents) graph.put(document);
  return graph;
}

function edgesOf(graph: LinkGraph) {
  return [...graph.edges()].sort(([a, b], [c, d]) => a - c || b - d);
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
    expect(edgesOf(graph)).toEqual([[1, 2, weight]]);
  });

  it('tells links of a document from links to it, with their lines, and leaves out those to itself', () => {
    const graph = graphOf([linked(1, 'a.md', ['b', 'a', 'gone', 'b']), linked(2, 'b.md', ['a'])]);
    const seen = (links: ReturnType<LinkGraph['outgoing']>) =>
      links.map(({ other, link }) => [other, link.line]);
    expect(seen(graph.outgoing(1))).toEqual([
      [2, 1],
      [2, 4],
    ]);
    expect(seen(graph.incoming(1))).toEqual([[2, 1]]);
    graph.remove(2);
    expect([...graph.outgoing(1), ...graph.incoming(1), ...graph.outgoing(2)]).toEqual([]);
  });

  it('takes cycles, links to itself and links said twice', () => {
    const graph = graphOf([linked(1, 'a.md', ['b', 'a', 'b']), linked(2, 'b.md', ['a'])]);
    expect(edgesOf(graph)).toEqual([[1, 2, 1]]);
    expect(graph.unresolved()).toEqual([]);
  });

  it('takes a cycle of any length, and a document that links to nothing but itself', () => {
    const ring = Array.from({ length: 50 }, (_, i) => linked(i, `n${i}.md`, [`n${(i + 1) % 50}`, `n${i}`]));
    const graph = graphOf([...ring, linked(99, 'alone.md', ['alone'])]);
    expect(edgesOf(graph)).toHaveLength(50);
    expect(graph.neighbours(99).size).toBe(0);
    expect(graph.unresolved()).toEqual([]);
  });

  it('resolves inside a collection only', () => {
    const graph = graphOf([linked(1, 'a.md', ['b']), linked(2, 'b.md', [], { collection: 'other' })]);
    expect(edgesOf(graph)).toEqual([]);
  });

  it('keeps what leads nowhere, but for media and pages of a web site', () => {
    const graph = graphOf([
      linked(2, 'b.md', ['x.png', 'gone', 'Film.MP4']),
      linked(3, 'c.md', [], { links: [{ kind: 'relative', target: '/site/page', line: 1 }] }),
      linked(1, 'a.md', ['also gone']),
    ]);
    expect(graph.unresolved().map(({ source, link }) => [source, link.target])).toEqual([
      [1, 'also gone'],
      [2, 'gone'],
    ]);
  });

  it('resolves again when a better match comes and goes', () => {
    const graph = graphOf([linked(1, 'a/x.md', ['note']), linked(2, 'b/note.md', [])]);
    expect([...graph.neighbours(1).keys()]).toEqual([2]);
    graph.put(linked(3, 'a/note.md', []));
    expect([...graph.neighbours(1).keys()]).toEqual([3]);
    expect([...graph.neighbours(2).keys()]).toEqual([]);
    graph.remove(3);
    expect([...graph.neighbours(1).keys()]).toEqual([2]);
    graph.remove(2);
    expect(graph.unresolved()).toHaveLength(1);
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
    graph.remove(5);
    expect(graph.neighbours(0).size).toBe(9_999);
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

  it('equals a graph made afresh after any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(documentChange(), { maxLength: 25 }), (changes) => {
        const graph = createLinkGraph();
        const now = new Map<string, LinkedDocument>();
        for (const [number, { path, gone, title, aliases, links, asked }] of changes.entries()) {
          const before = now.get(path);
          if (before) graph.remove(before.number);
          now.delete(path);
          if (!gone) {
            const document = { number, collection: 'c', path, title, aliases, links };
            now.set(path, document);
            graph.put(document);
          }
          if (asked) graph.neighbours(number);
        }
        const fresh = graphOf([...now.values()].reverse());
        expect(edgesOf(graph)).toEqual(edgesOf(fresh));
        const unresolved = (of: LinkGraph) =>
          of.unresolved().map(({ source, link }) => `${source} ${link.target}`);
        expect(unresolved(graph).sort()).toEqual(unresolved(fresh).sort());
      }),
      { numRuns: 500 },
    );
  });
});
