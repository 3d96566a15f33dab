import { describe, expect, test } from 'vitest';
import type { RetrieverQuery } from '../../../src/core/indexes/retriever.ts';
import { createSemanticRetriever } from '../../../src/core/indexes/semantic.ts';
import { CONTRACT_DIMENSIONS, contractQuery, retrieverContract } from '../../contracts/retriever-contract.ts';

retrieverContract('semantic', () => {
  const { retriever, ids } = make(CONTRACT_DIMENSIONS);
  return {
    ...retriever,
    // The store has a chunk before any index does.
    add(entries) {
      for (const { slot, chunk } of entries) ids.set(slot, chunk.id);
      retriever.add(entries);
    },
  };
});

describe('semantic retriever', () => {
  test('ranks by the cosine of 12 bits a component, not of the 8 bits that are scanned', async () => {
    const { retriever, put } = make(3);
    // Too close for 8 bits: all rows round to the same bytes.
    for (let slot = 0; slot < 8; slot += 1) put(slot, unit(1, 0.5, ((slot * 5) % 8) / 2032));
    const { entries } = await retriever.search(ask(unit(0, 0, 1)), 50);
    expect(entries.map(({ slot }) => (slot * 5) % 8)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    expect(entries[0]!.score).toBeCloseTo(7 / 2032 / Math.hypot(1, 0.5), 5);
  });

  test('equal vectors have a cosine of at most 1', async () => {
    const { retriever, put } = make(7);
    const vectors = [1, 2, 3, 4, 5].map((n) => unit(...[1, 2, 3, 4, 5, 6, 7].map((x) => Math.sin(n * x))));
    for (const [slot, vector] of vectors.entries()) put(slot, vector);
    for (const [slot, vector] of vectors.entries()) {
      const { entries, scoreOf } = await retriever.search(ask(vector), 1);
      expect(entries[0]).toEqual({ slot, score: expect.closeTo(1, 3) });
      expect(scoreOf(slot)).toBeLessThanOrEqual(1);
    }
  });

  test('a vector is given back, rounded, until its chunk is removed', () => {
    const { retriever, put } = make(3);
    const vector = unit(1, -0.3, 0.02);
    put(7, vector);
    for (const [place, component] of retriever.vectorOf(7)!.entries())
      expect(component).toBeCloseTo(vector[place]!, 3);
    retriever.remove([7]);
    expect([7, 8].map(retriever.vectorOf)).toEqual([undefined, undefined]);
  });

  test('scoreOf computes slots outside the ranking in 12 bits, too, and is 0 for those without a vector', async () => {
    const { retriever, put } = make(2);
    put(0, unit(1, 0));
    put(4, unit(-3, 4));
    const { entries, scoreOf } = await retriever.search(ask(unit(1, 0)), 1);
    expect(entries).toEqual([{ slot: 0, score: expect.closeTo(1, 6) }]);
    expect(scoreOf(4)).toBeCloseTo(-0.6, 3);
    expect(scoreOf(2)).toBe(0);
    expect(scoreOf(99)).toBe(0);
  });

  test('the median is that of all live chunks, whatever the filter', async () => {
    const { retriever, put } = make(2);
    const cosines = [0.9, 0.1, 0.5, -0.2, 0.3, 0.7];
    cosines.forEach((cosine, slot) => {
      put(slot, unit(cosine, Math.sqrt(1 - cosine ** 2)));
    });
    retriever.remove([5]);
    const query = ask(unit(1, 0));
    const free = await retriever.search(query, 3);
    const filtered = await retriever.search(query, 3, Uint8Array.of(1, 1));
    expect(free.median).toBeCloseTo(0.3, 1);
    expect(filtered.median).toBe(free.median);
    expect(filtered.entries.map(({ slot }) => slot)).toEqual([0, 1]);
    expect(filtered.scoreOf(2)).toBe(free.scoreOf(2));
  });

  test('a wide filter gives the same scores as none', async () => {
    const { retriever, put } = make(2, 10);
    const rows = 5000;
    for (let slot = 0; slot < rows; slot += 1) put(slot, unit(Math.cos(slot), Math.sin(slot)));
    const query = ask(unit(0.6, 0.8));
    const free = await retriever.search(query, rows);
    const mask = Uint8Array.from({ length: rows }, (_, slot) => (slot % 2 === 0 ? 1 : 0));
    const filtered = await retriever.search(query, 20, mask);
    const expected = free.entries.filter(({ slot }) => slot % 2 === 0).slice(0, 20);
    expect(filtered.entries).toHaveLength(20);
    expect(filtered.entries[0]).toEqual(expected[0]);
    for (const { slot, score } of filtered.entries) expect(free.scoreOf(slot)).toBe(score);
  });

  test('without vectors, or without a query vector, the ranking is empty', async () => {
    const { retriever, put } = make(2);
    const empty = await retriever.search(ask(unit(1, 0)), 5);
    expect(empty.entries).toEqual([]);
    expect(empty.scoreOf(0)).toBe(0);
    put(0, unit(1, 0));
    const { parsed } = contractQuery(['alpha']);
    expect((await retriever.search({ parsed }, 5)).entries).toEqual([]);
  });
});

function make(dimensions: number, rescore?: number) {
  const ids = new Map<number, string>();
  const retriever = createSemanticRetriever({
    dimensions,
    idOf: (slot) => ids.get(slot) ?? String(slot).padStart(6, '0'),
    ...(rescore !== undefined && { rescore }),
  });
  return { retriever, ids, put: retriever.addVector };
}

function ask(vector: Float32Array): RetrieverQuery {
  return { ...contractQuery(['alpha']), vector };
}

function unit(...components: number[]): Float32Array {
  const norm = Math.hypot(...components);
  return Float32Array.from(components, (x) => x / norm);
}
