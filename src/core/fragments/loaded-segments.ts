/** Makes segments from the loaded postings. The word indexes score them as if the whole collection were loaded. */
import { createDictionary } from '../indexes/dictionary.ts';
import { createPostingWriter, occurrence as packed } from '../indexes/posting-codec.ts';
import type { Segment } from '../indexes/segment.ts';
import { createSegmentBuilder } from '../indexes/segment-builder.ts';
import { atOnce } from '../steps.ts';
import { compareText } from '../text/compare-text.ts';
import { memoize } from '../text/memoize.ts';
import type { CollectionFacts } from './facts.ts';
import type { Places } from './light-catalog.ts';
import type { LoadedTerm } from './query-words.ts';
import { CONTENT, HEADERS, type Occurrence } from './term-postings.ts';

interface Entry {
  readonly unit: number;
  readonly field: number;
  readonly occurrence: Occurrence;
}

interface TermEntries {
  readonly term: string;
  /** Number of units of the collection that hold the term. */
  readonly units: number;
  /** In order of unit, then field. */
  readonly entries: readonly Entry[];
}

/** Makes a function that returns a segment of the loaded passages. Its units replace the same units of `wordlessSegment`. */
export function createPassageSegments(
  facts: Pick<CollectionFacts, 'passages' | 'passageLengths'>,
  { firstSlots, slots }: Places,
): (terms: readonly LoadedTerm[]) => Segment {
  const entriesOf = memoize((from: LoadedTerm): TermEntries => {
    const entries: Entry[] = [];
    for (const { document, fields, passages } of from.loaded) {
      const first = firstSlots[document]!;
      for (const { field, ...occurrence } of fields) {
        for (let passage = 0; passage < facts.passages[document]!; passage++) {
          entries.push({ unit: first + passage, field, occurrence });
        }
      }
      for (const { passage, headers, content } of passages) {
        if (headers) entries.push({ unit: first + passage, field: HEADERS, occurrence: headers });
        if (content) entries.push({ unit: first + passage, field: CONTENT, occurrence: content });
      }
    }
    entries.sort((a, b) => a.unit - b.unit || a.field - b.field);
    return { term: from.term, units: from.passages, entries };
  }, new WeakMap());
  return (terms) => segmentOf(terms.map(entriesOf), slots, facts.passageLengths);
}

/** Returns a segment of the loaded documents. Its units replace the same units of `wordlessSegment`. */
export function documentSegment(
  terms: readonly LoadedTerm[],
  { passages, documentLengths }: Pick<CollectionFacts, 'passages' | 'documentLengths'>,
): Segment {
  const found = terms.map(({ term, documents, loaded }) => ({
    term,
    units: documents,
    entries: loaded.flatMap(({ document: unit, names, text }) => [
      ...(names ? [{ unit, field: 0, occurrence: names }] : []),
      ...(text ? [{ unit, field: 1, occurrence: text }] : []),
    ]),
  }));
  return segmentOf(found, passages.length, documentLengths);
}

/**
 * Makes a segment of the loaded entries. One more unit, without words, gets the total length of all units that are not loaded, so
 * that the mean lengths are those of the whole collection.
 */
function segmentOf(given: readonly TermEntries[], unitCount: number, totals: readonly number[]): Segment {
  const terms = given.toSorted((a, b) => compareText(a.term, b.term));
  const isHeld = new Uint8Array(unitCount);
  for (const { entries } of terms) for (const { unit } of entries) isHeld[unit] = 1;
  const carrier = isHeld.indexOf(0);
  if (carrier >= 0) isHeld[carrier] = 1;
  const localOf = new Uint32Array(unitCount);
  const units: number[] = [];
  for (let unit = 0; unit < unitCount; unit++) if (isHeld[unit]) localOf[unit] = units.push(unit) - 1;
  const lengths = new Uint32Array(units.length * totals.length);
  const writer = createPostingWriter(false);
  for (const { entries } of terms) {
    for (const { unit, field, occurrence } of entries) {
      const local = localOf[unit]!;
      writer.entry(local, packed(field, occurrence.frequency));
      lengths[field * units.length + local] = occurrence.length;
    }
    writer.endTerm();
  }
  for (const [field, total] of totals.entries()) {
    const own = lengths.subarray(field * units.length, (field + 1) * units.length);
    const missing = total - own.reduce((sum, each) => sum + each, 0);
    // If all units are loaded, add the missing length to a unit without an entry in the field: no score reads its length.
    if (missing > 0) own[carrier >= 0 ? localOf[carrier]! : own.indexOf(0)] = missing;
  }
  const postings = writer.finish();
  return {
    ...wordless(Uint32Array.from(units), totals.length),
    lengths,
    terms: createDictionary(terms.map(({ term }) => term)),
    ...postings,
    unitFrequencies: Uint32Array.from(terms, ({ units }) => units),
    absent: Uint32Array.from(terms, ({ units }, place) => units - postings.unitFrequencies[place]!),
  };
}

export function wordlessSegment(unitCount: number, fieldCount: number): Segment {
  const units = Uint32Array.from({ length: unitCount }, (_, unit) => unit);
  return wordless(units, fieldCount);
}

function wordless(units: Segment['units'], fieldCount: number): Segment {
  const empty = atOnce(createSegmentBuilder({ fieldCount, analyze: () => 0 }).build());
  return { ...empty, units, lengths: new Uint32Array(units.length * fieldCount) };
}
