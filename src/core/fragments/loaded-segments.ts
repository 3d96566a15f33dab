/** Makes segments of the postings that are loaded, so that the word indexes score them as they score a whole collection. */
import { createDictionary } from '../indexes/dictionary.ts';
import type { Segment } from '../indexes/segment.ts';
import { compareText } from '../text/compare-text.ts';
import type { CollectionFacts } from './facts.ts';
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

/** Returns the segments of passages. @param firstSlots by document, the slot of its first passage */
export function passageSegments(
  terms: readonly LoadedTerm[],
  facts: Pick<CollectionFacts, 'passages' | 'passageLengths'>,
  firstSlots: readonly number[],
): readonly Segment[] {
  const total = facts.passages.reduce((sum, count) => sum + count, 0);
  const found = terms.map(({ term, passages, loaded }) => {
    const entries: Entry[] = [];
    for (const { document, fields, passages } of loaded) {
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
    return { term, units: passages, entries: entries.sort((a, b) => a.unit - b.unit || a.field - b.field) };
  });
  return segmentsOf(found, total, facts.passageLengths);
}

/** Returns the segments of whole documents. */
export function documentSegments(
  terms: readonly LoadedTerm[],
  { passages, documentLengths }: Pick<CollectionFacts, 'passages' | 'documentLengths'>,
): readonly Segment[] {
  const found = terms.map(({ term, documents, loaded }) => ({
    term,
    units: documents,
    entries: loaded.flatMap(({ document: unit, names, text }) => [
      ...(names ? [{ unit, field: 0, occurrence: names }] : []),
      ...(text ? [{ unit, field: 1, occurrence: text }] : []),
    ]),
  }));
  return segmentsOf(found, passages.length, documentLengths);
}

/** Returns a segment of the entries, and a segment without words for all other units. Together they have the statistics of all. */
function segmentsOf(
  given: readonly TermEntries[],
  unitCount: number,
  totals: readonly number[],
): readonly Segment[] {
  const terms = given.toSorted((a, b) => compareText(a.term, b.term));
  const units = [...new Set(terms.flatMap(({ entries }) => entries.map(({ unit }) => unit)))].sort(
    (a, b) => a - b,
  );
  const localOf = new Map(units.map((unit, local) => [unit, local]));
  const lengths = new Uint32Array(units.length * totals.length);
  const count = terms.reduce((sum, { entries }) => sum + entries.length, 0);
  const made = {
    fieldCount: totals.length,
    units: Uint32Array.from(units),
    lengths,
    terms: createDictionary(terms.map(({ term }) => term)),
    entryStarts: new Uint32Array(terms.length + 1),
    unitFrequencies: Uint32Array.from(terms, ({ units }) => units),
    entryUnits: new Uint32Array(count),
    entryFields: new Uint8Array(count),
    entryFrequencies: new Uint16Array(count),
    absent: new Uint32Array(terms.length),
    ...NO_POSITIONS,
  };
  let at = 0;
  for (const [place, { entries, units: all }] of terms.entries()) {
    let before = -1;
    let held = 0;
    for (const { unit, field, occurrence } of entries) {
      const local = localOf.get(unit)!;
      if (local !== before) held++;
      before = local;
      made.entryUnits[at] = local;
      made.entryFields[at] = field;
      made.entryFrequencies[at++] = occurrence.frequency;
      lengths[field * units.length + local] = occurrence.length;
    }
    made.entryStarts[place + 1] = at;
    made.absent[place] = all - held;
  }
  const missing = totals.map((total, field) => {
    const held = lengths.subarray(field * units.length, (field + 1) * units.length);
    return total - held.reduce((sum, each) => sum + each, 0);
  });
  if (units.length < unitCount) return [made, restOf(unitCount, localOf, missing)];
  for (const [field, more] of missing.entries()) {
    // Keeps the total length right. The unit in this place has no entry in the field, so no score reads its length.
    const unused = lengths.indexOf(0, field * units.length);
    if (more > 0) lengths[unused] = more;
  }
  return [made];
}

/** The lengths of the other units are not known one by one: the first of them gets their sum. */
function restOf(unitCount: number, known: ReadonlyMap<number, number>, totals: readonly number[]): Segment {
  const units = new Uint32Array(unitCount - known.size);
  let at = 0;
  for (let unit = 0; unit < unitCount; unit++) if (!known.has(unit)) units[at++] = unit;
  const lengths = new Uint32Array(units.length * totals.length);
  for (const [field, total] of totals.entries()) lengths[field * units.length] = total;
  const empty = new Uint32Array(0);
  return {
    ...{ fieldCount: totals.length, units, lengths, terms: createDictionary([]), unitFrequencies: empty },
    ...{ entryStarts: new Uint32Array(1), entryUnits: empty, entryFields: new Uint8Array(0) },
    entryFrequencies: new Uint16Array(0),
    ...NO_POSITIONS,
  };
}

const NO_POSITIONS = {
  positionStarts: new Uint32Array(0),
  positions: new Uint16Array(0),
  surfaces: createDictionary([]),
  surfaceTerms: new Uint32Array(0),
  surfaceFrequencies: new Uint32Array(0),
};
