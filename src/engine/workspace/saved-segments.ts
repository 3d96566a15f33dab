/** Loads the segments of an index from the store, and saves changed segments. */
import { DocfuseError } from '../../core/errors.ts';
import { compact } from '../../core/indexes/compact.ts';
import type { SegmentedIndex } from '../../core/indexes/lexical-index.ts';
import type { LiveSegment } from '../../core/indexes/live-segments.ts';
import type { Segment } from '../../core/indexes/segment.ts';
import { HEADER_BYTES } from '../../core/indexes/segment-codec.ts';
import { cutSegment, openSegment, replacedMeanwhile } from '../../core/indexes/segment-pieces.ts';
import type { Steps } from '../../core/steps.ts';
import type { SegmentKind, SegmentStore } from '../../core/storage.ts';

/** @param store undefined if segments are not saved: all units (passages or documents) are then indexed again at every start */
export function savedSegments(store: SegmentStore | undefined, kind: SegmentKind, index: SegmentedIndex) {
  /** By segment, or by row id for an unused segment: its row in the store, and the length of the row in bytes. */
  const rows = new Map<LiveSegment | number, { readonly id: number; readonly length: number }>();

  /** Returns a saved segment that `segment` replaces: the two share units, and the saved one is no longer in use. */
  function formerOf(segment: LiveSegment): LiveSegment | undefined {
    const current = new Set<LiveSegment | number>(index.liveSegments);
    const units = new Set(segment.units);
    return [...rows.keys()]
      .filter((saved) => typeof saved !== 'number')
      .find((saved) => !current.has(saved) && saved.units.some((unit) => units.has(unit)));
  }

  function put(segments: SegmentStore, segment: LiveSegment, unload: boolean): void {
    const former = formerOf(segment);
    const place = former && rows.get(former);
    const { head, pieces } = cutSegment(segment.segment, place?.length);
    const id = segments.put(kind, head, place?.id, pieces);
    if (former) rows.delete(former);
    rows.set(segment, { id, length: head.byteLength });
    if (unload) segment.unload(() => readAgain(segments, id, segment.units));
  }

  /** Reads a segment that was unloaded. @throws DocfuseError `index_busy` if another process has replaced it */
  function readAgain(segments: SegmentStore, id: number, units: Uint32Array): Segment {
    const head = segments.get(kind, id);
    const segment = head && openSaved(segments, kind, id, head);
    // The numbers of units are never used again, so equal numbers mean equal words.
    if (segment?.units.length === units.length && segment.units.every((unit, at) => unit === units[at]))
      return segment;
    throw replacedMeanwhile();
  }

  return {
    /**
     * Loads the saved segments.
     * @param check whether to read all their words to find damage
     * @returns false if a segment is missing or damaged: the caller must index its units again
     */
    load(isLive: (unit: number) => boolean, check: boolean): boolean {
      if (!store) return false;
      const missed = new Set(store.inUse(kind));
      let whole = true;
      for (const { id, bytes } of store.read(kind)) {
        const segment = readOrSkip(store, kind, { id, bytes }, check);
        missed.delete(id);
        whole &&= segment !== undefined;
        // A segment without live units, as after a change of the analysis, is not loaded.
        const used = segment?.units.some((unit) => isLive(unit)) && index.load(segment, isLive);
        // The key of an unused segment is the id of its row. No current segment has this key, so the next save deletes the row.
        rows.set(used || id, { id, length: bytes.byteLength });
      }
      return whole && missed.size === 0;
    },
    /**
     * Merges segments if needed, saves new segments, each before the next is merged, and deletes replaced segments.
     * @param all whether to drop all removed units, even if large segments must be rewritten
     * @param unload whether to unload saved segments until their next use
     */
    *save(all: boolean, unload: boolean): Steps<void> {
      yield* compact(index, all, store && ((merged) => put(store, merged, unload)));
      if (!store) return;
      for (const segment of index.liveSegments) {
        const row = rows.get(segment);
        if (row) {
          if (unload) segment.unload(() => readAgain(store, row.id, segment.units));
          continue;
        }
        put(store, segment, unload);
        yield;
      }
      const current = new Set<LiveSegment | number>(index.liveSegments);
      // Save new rows before deleting old rows: a crash in between leaves units in two segments, which loading resolves.
      const stale = [...rows].filter(([segment]) => !current.has(segment));
      const inUse = index.liveSegments.map((segment) => rows.get(segment)!.id);
      const unused = stale.map(([, { id }]) => id);
      store.use(kind, inUse, unused);
      for (const [segment] of stale) rows.delete(segment);
    },
  };
}

/** Whether an error says that saved words were replaced or are damaged: they must be loaded again. */
export function areWordsLost(error: unknown): error is DocfuseError {
  return error instanceof DocfuseError && (error.code === 'index_busy' || error.code === 'index_damaged');
}

/** Returns undefined if the segment is damaged. @param check whether to read all its words */
export function readOrSkip(
  segments: SegmentStore,
  kind: SegmentKind,
  { id, bytes }: { readonly id: number; readonly bytes: Uint8Array },
  check: boolean,
): Segment | undefined {
  try {
    const segment = openSaved(segments, kind, id, bytes);
    if (check) segment.saved?.check();
    return segment;
  } catch (error) {
    // An error of reading from the disk has a cause.
    if (!(error instanceof DocfuseError) || error.cause !== undefined) throw error;
    return undefined;
  }
}

function openSaved(segments: SegmentStore, kind: SegmentKind, id: number, head: Uint8Array): Segment {
  // The header has a checksum of the rest, which need not stay in memory.
  const header = new Uint8Array(head.subarray(0, HEADER_BYTES));
  const isReplaced = () =>
    Buffer.compare(segments.get(kind, id)?.subarray(0, HEADER_BYTES) ?? new Uint8Array(), header) !== 0;
  return openSegment(head, (...bytes) => segments.piece(id, ...bytes), isReplaced);
}
