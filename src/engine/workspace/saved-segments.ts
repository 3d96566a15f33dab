/** Keeps the segments of an index and their rows in the store in step. */
import type { SegmentedIndex } from '../../core/indexes/lexical-index.ts';
import type { Segment } from '../../core/indexes/segment.ts';
import { decodeSegment, encodeSegment } from '../../core/indexes/segment-codec.ts';
import type { Steps } from '../../core/steps.ts';
import type { SegmentKind, SegmentStore } from '../../core/storage.ts';

/** @param store absent where no segments are kept: all units are then indexed again */
export function savedSegments(store: SegmentStore | undefined, kind: SegmentKind, index: SegmentedIndex) {
  const rows = new Map<Segment | number, number>();
  return {
    /**
     * Reads what is saved.
     * @returns false when a segment is gone, or damaged and left out: its units must be indexed again
     */
    load(isLive: (unit: number) => boolean): boolean {
      if (!store) return false;
      const missed = new Set(store.inUse(kind));
      let whole = true;
      for (const { id, bytes } of store.read(kind)) {
        const segment = decodeOrSkip(bytes);
        missed.delete(id);
        whole &&= segment !== undefined;
        // A segment without live units, as after a change of the rules, would only take memory.
        const used = segment?.units.some((unit) => isLive(unit)) ? segment : undefined;
        // A row without a segment in use is dropped by the next save.
        rows.set(used ?? id, id);
        if (used) index.load(used, isLive);
      }
      return whole && missed.size === 0;
    },
    /**
     * Merges where it is due, then makes the store hold what the index holds.
     * @param all whether every removed unit goes now, however large its segment
     */
    *save(all: boolean): Steps<void> {
      yield* index.compact(all);
      if (!store) return;
      const current = new Set<Segment | number>(index.segments());
      const stale = [...rows].filter(([segment]) => !current.has(segment));
      for (const segment of index.segments()) {
        if (rows.has(segment)) continue;
        rows.set(segment, store.put(kind, encodeSegment(segment)));
        yield;
      }
      // New rows first: a crash in between leaves units twice, which loading resolves, never missing.
      store.use(
        kind,
        index.segments().map((segment) => rows.get(segment)!),
        stale.map(([, id]) => id),
      );
      for (const [segment] of stale) rows.delete(segment);
    },
  };
}

function decodeOrSkip(bytes: Uint8Array): Segment | undefined {
  try {
    return decodeSegment(bytes);
  } catch {
    return undefined;
  }
}
