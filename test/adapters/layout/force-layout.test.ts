/** Placing a graph in a thread: by its links, the same each time, and stopped when asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createForceLayout } from '../../../src/adapters/layout/force-layout.ts';
import { firstPlaces } from '../../../src/core/graph/first-places.ts';
import type { PlacedGraph } from '../../../src/core/ports.ts';

/** A ring of nodes. */
function ring(nodes: number): PlacedGraph {
  const places = [...firstPlaces([Array.from({ length: nodes }, (_, at) => String(at))]).values()];
  return {
    x: Float32Array.from(places, ([x]) => x),
    y: Float32Array.from(places, ([, y]) => y),
    sources: Uint32Array.from(places, (_, at) => at),
    targets: Uint32Array.from(places, (_, at) => (at + 1) % nodes),
    weights: new Float32Array(nodes).fill(1),
  };
}
const unending = new AbortController().signal;

// From 1,000 nodes on, forces are approximate.
test.each([12, 1500])(
  '%i nodes: linked ones are near each other, and equal graphs look the same',
  async (nodes) => {
    const { place } = createForceLayout();
    const [{ x, y }, again] = await Promise.all([
      place(ring(nodes), 60, unending),
      place(ring(nodes), 60, unending),
    ]);
    expect(again).toEqual({ x, y });
    const apart = (a: number, b: number) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);
    const mean = (step: number) =>
      [...x.keys()].reduce((sum, at) => sum + apart(at, (at + step) % nodes), 0) / nodes;
    expect(mean(1)).toBeLessThan(mean(Math.floor(nodes / 2)));
    expect(Math.min(...[...x.keys()].map((at) => apart(at, (at + 1) % nodes)))).toBeGreaterThan(0);
  },
);

test('a signal stops the work with its reason', async () => {
  const { place } = createForceLayout();
  const reason = new Error('no longer wanted');
  const stop = new AbortController();
  const work = place(ring(5000), 100_000, stop.signal);
  await sleep(50);
  stop.abort(reason);
  await expect(work).rejects.toBe(reason);
  await expect(place(ring(3), 1, stop.signal)).rejects.toBe(reason);
});

test('a thread that ends without an answer is a failure that says so', async () => {
  const ended = createForceLayout(new URL('data:text/javascript,process.exit(3)'));
  await expect(ended.place(ring(3), 1, unending)).rejects.toThrow('exit code 3');
  const broken = createForceLayout(new URL('data:text/javascript,throw new Error("no memory")'));
  await expect(broken.place(ring(3), 1, unending)).rejects.toThrow('no memory');
});
