/** Loads the segments of an index from the store, and saves changed segments. */
import { compact } from '../../core/indexes/compact.ts';
import type { SegmentedIndex } from '../../core/indexes/lexical-index.ts';
import type { Segment } from '../../core/indexes/segment.ts';
import { decodeSegment, encodeSegment } from '../../core/indexes/segment-codec.ts';
import type { Steps } from '../../core/steps.ts';
import type { SegmentKind, SegmentStore } from '../../core/storage.ts';

/** @param store undefined if segments are not saved: all units (passages or documents) are then indexed again at every start */
export function savedSegments(store: SegmentStore | undefined, kind: SegmentKind, index: SegmentedIndex) {
  /** By segment, or by row id for an unused segment: its row in the store, and the length of the row in bytes. */
  const rows = new Map<Segment | number, { readonly id: number; readonly length: number }>();

  /** Returns a saved segment that `segment` replaces: the two share units, and the saved one is no longer in use. */
  function formerOf(segment: Segment, current: ReadonlySet<Segment | number>): Segment | undefined {
    const units = new Set(segment.units);
    const hasSome = (saved: Segment | number): saved is Segment =>
      typeof saved !== 'number' && saved.units.some((unit) => units.has(unit));
    return [...rows.keys()].find((saved): saved is Segment => !current.has(saved) && hasSome(saved));
  }

  return {
    /**
     * Loads the saved segments.
     * @returns false if a segment is missing or damaged: the caller must index its units again
     */
    load(isLive: (unit: number) => boolean): boolean {
      if (!store) return false;
      const missed = new Set(store.inUse(kind));
      let whole = true;
      for (const { id, bytes } of store.read(kind)) {
        const segment = decodeOrSkip(bytes);
        missed.delete(id);
        whole &&= segment !== undefined;
        // A segment without live units, as after a change of the analysis, is not loaded.
        const used = segment?.units.some((unit) => isLive(unit)) ? segment : undefined;
        // The key of an unused segment is the id of its row. No current segment has this key, so the next save deletes the row.
        rows.set(used ?? id, { id, length: bytes.byteLength });
        if (used) index.load(used, isLive);
      }
      return whole && missed.size === 0;
    },
    /**
     * Merges segments if needed, then saves new segments and deletes replaced segments.
     * @param all whether to drop all removed units, even if large segments must be rewritten
     */
    *save(all: boolean): Steps<void> {
      yield* compact(index, all);
      if (!store) return;
      const current = new Set<Segment | number>(index.segments());
      for (const segment of index.segments()) {
        if (rows.has(segment)) continue;
        const former = formerOf(segment, current);
        const place = former && rows.get(former);
        const bytes = encodeSegment(segment, place?.length);
        const id = store.put(kind, bytes, place?.id);
        if (former) rows.delete(former);
        rows.set(segment, { id, length: bytes.byteLength });
        yield;
      }
      // Save new rows before deleting old rows: a crash in between leaves units in two segments, which loading resolves.
      const stale = [...rows].filter(([segment]) => !current.has(segment));
      store.use(
        kind,
        index.segments().map((segment) => rows.get(segment)!.id),
        stale.map(([, { id }]) => id),
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
