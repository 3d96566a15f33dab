/** Makes the points of a document: one for each passage, one for the document, one for each word as written. */
import { nameWeights } from '../../core/fragments/name-weights.ts';
import { inverseUnitFrequency } from '../../core/indexes/bm25f.ts';
import { catalogDocument } from '../../core/indexes/catalog.ts';
import { createCodeRetriever } from '../../core/indexes/code.ts';
import { wordAt, wordCount } from '../../core/indexes/dictionary.ts';
import { createDocumentIndex } from '../../core/indexes/documents.ts';
import { createKeywordRetriever } from '../../core/indexes/keyword.ts';
import type { Segment } from '../../core/indexes/segment.ts';
import { passageEntries, wholeEntry } from '../../core/indexes/word-entries.ts';
import type { Parent } from '../../core/model/chunk.ts';
import type { Link } from '../../core/model/document.ts';
import { KEYWORD_FIELDS, RANKING } from '../../core/model/ranking-constants.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord } from '../../core/ports.ts';
import { languageOf } from '../../core/query/filter.ts';
import { filterKeys } from '../../core/query/filter-keys.ts';
import type { Analyzer } from '../../core/text/analyzer.ts';
import { fileNameKeys } from '../../core/text/typed-path.ts';
import type { Schemas } from './client.ts';
import {
  type DocumentPayload,
  dimensionOf,
  documentId,
  drawOf,
  type PassagePayload,
  type PublishedState,
  titleDimension,
  type WordPayload,
  wordId,
} from './schema.ts';
import { contribution, type UnitWords, unitWords, type Weighing } from './segment-words.ts';

export type Point = Schemas['PointStruct'];

/** A document as the index keeps it. */
export interface PublishedDocument {
  readonly record: DocumentRecord;
  readonly chunks: readonly ChunkRecord[];
  readonly heads: readonly Omit<ChunkHead, 'document'>[];
  readonly parents: readonly Parent[];
  /** By chunk; undefined for a passage without a vector. */
  readonly vectors: readonly (Float32Array | undefined)[];
  readonly linked: ReadonlyMap<number, number>;
  readonly links: readonly Link[];
  readonly community: number | undefined;
  readonly analyzer: Analyzer;
}

/** What a document is weighed by. */
export interface PointStatistics extends Pick<PublishedState, 'passages' | 'documents' | 'code'> {
  /** Number of documents that hold a term. */
  readonly documentsWith: (term: string) => number;
}

const TITLE = KEYWORD_FIELDS.indexOf('title');
const PASSAGE_WEIGHTS = KEYWORD_FIELDS.map((name) => RANKING.words.fields[name]);

/** @param digest of what is sent, which the document keeps */
export function documentPoints(document: PublishedDocument, digest: string, statistics: PointStatistics) {
  const { record, chunks, heads, analyzer } = document;
  const texts = { ...record, chunks, slots: chunks.map(({ slot }) => slot) };
  const entries = passageEntries(texts, analyzer);
  const passageWords = createKeywordRetriever({ idOf: String }).add(entries);
  const codeWords = createCodeRetriever({ idOf: String, queryTerms: () => [] }).add(entries);
  const wholeWords = createDocumentIndex().add([wholeEntry(texts, analyzer)]);
  const facts = catalogDocument({ ...record, ...record.fields });
  const keys = filterKeys(facts);
  const allHidden = heads.every(({ content }) => content === 0);
  const [held, coded, [whole]] = [passageWords, codeWords, wholeWords].map((segment) =>
    segment ? unitWords(segment) : [],
  ) as [readonly UnitWords[], readonly UnitWords[], readonly UnitWords[]];
  const [byslot, codeBySlot] = [held, coded].map((units) => new Map(units.map((each) => [each.unit, each])));

  const passages = chunks.map((chunk, index): Point => {
    const { slot } = chunk;
    const [own, code] = [byslot!.get(slot) ?? NO_WORDS(slot, KEYWORD_FIELDS.length), codeBySlot!.get(slot)];
    const head = heads[index]!;
    const payload: PassagePayload = {
      ...{ kind: 'passage', document: record.number, ...keys },
      shown: head.content !== 0 || allHidden ? 1 : 0,
      languages: head.languages.map(languageOf),
      ...worded(own, TITLE, true),
      codeWords: code ? [...code.words.keys()].map(dimensionOf) : [],
      ...(code && { code: { lengths: code.lengths, in: inDimensions(code) } }),
      ...{ draw: drawOf(slot), chunk },
    };
    const vector = document.vectors[index];
    return {
      id: slot,
      payload: { ...payload },
      vector: {
        ...(vector && { dense: [...vector] }),
        ...sparse('keyword', own, weighing(PASSAGE_WEIGHTS, statistics.passages, true), TITLE),
        ...(code && sparse('code', code, weighing([1], statistics.code, false))),
      },
    };
  });

  const idfOf = (term: string) =>
    inverseUnitFrequency(statistics.documents.count, statistics.documentsWith(term));
  const own = whole ?? NO_WORDS(record.number, 2);
  const payload: DocumentPayload = {
    ...{ kind: 'document', record, heads, parents: document.parents, ...keys },
    ...worded(own, 0, false),
    names: nameWeights({ ...facts, analyzer }, idfOf).map(({ held, weight }) => [
      ...([weight.name, weight.terms, weight.total] as const),
      ...[...held].map(dimensionOf),
    ]),
    files: fileNameKeys(record.path),
    linked: [...document.linked],
    links: document.links,
    ...(document.community !== undefined && { community: document.community }),
    digest,
  };
  const point: Point = {
    id: documentId(record.number),
    payload: { ...payload },
    vector: {
      ...sparse('document', own, weighing([RANKING.words.names, 1], statistics.documents, false)),
      ...sparse('title', own, weighing([RANKING.words.names, 0], statistics.documents, false)),
    },
  };
  return { passages, document: point, words: [passageWords, wholeWords].flatMap(surfacePoints) };
}

const NO_WORDS = (unit: number, fields: number): UnitWords => ({
  ...{ unit, words: new Map() },
  lengths: Array.from({ length: fields }, () => 0),
});

const weighing = (
  weights: readonly number[],
  { averageLengths }: PublishedState['passages'],
  placed: boolean,
): Weighing => ({ weights, averageLengths, placed });

function inDimensions({ words }: UnitWords): PassagePayload['in'] {
  return Object.fromEntries([...words].map(([term, occurrences]) => [dimensionOf(term), occurrences]));
}

/** @param names field whose words are also kept apart */
function worded(unit: UnitWords, names: number, placed: boolean) {
  const terms = [...unit.words.keys()];
  const inNames = terms.filter((term) => onlyIn(names, unit.words.get(term)!, placed).length > 0);
  return {
    words: terms.map(dimensionOf),
    nameWords: inNames.map(dimensionOf),
    lengths: unit.lengths,
    in: inDimensions(unit),
  };
}

/** Returns the occurrences in one field. The first field is the only one whose words are ever kept apart. */
function onlyIn(field: number, occurrences: readonly number[], placed: boolean): readonly number[] {
  if (occurrences[0] !== field) return [];
  return occurrences.slice(0, placed ? 2 + occurrences[1]! : 2);
}

/** Returns the sparse vector of a lane under its name; nothing for a unit without words of a weight above 0. */
function sparse(name: string, { words, lengths }: UnitWords, how: Weighing, alone?: number) {
  const values = new Map<number, number>();
  const add = (dimension: number, occurrences: readonly number[]) => {
    const value = contribution(occurrences, lengths, how);
    if (value > 0) values.set(dimension, Math.max(value, values.get(dimension) ?? 0));
  };
  for (const [term, occurrences] of words) {
    add(dimensionOf(term), occurrences);
    const inField = alone === undefined ? [] : onlyIn(alone, occurrences, how.placed);
    if (inField.length > 0) add(titleDimension(term), inField);
  }
  if (values.size === 0) return {};
  return { [name]: { indices: [...values.keys()], values: [...values.values()] } };
}

function surfacePoints(segment: Segment | undefined): readonly Point[] {
  if (!segment) return [];
  return Array.from({ length: wordCount(segment.surfaces) }, (_, index) => {
    const surface = wordAt(segment.surfaces, index);
    const term = wordAt(segment.terms, segment.surfaceTerms[index]!);
    const payload: WordPayload = { kind: 'word', surface, term };
    return { id: wordId(payload), payload: { ...payload }, vector: {} };
  });
}
