/** Makes the data that is sent for a document: the document and its passages, with payload, weights of words, and vectors. */
import { nameWeights } from '../../core/fragments/name-weights.ts';
import { inverseUnitFrequency } from '../../core/indexes/bm25f.ts';
import { catalogDocument } from '../../core/indexes/catalog.ts';
import { createCodeRetriever } from '../../core/indexes/code.ts';
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
import {
  type DocumentPayload,
  dimensionOf,
  drawOf,
  type PassagePayload,
  type PublishedState,
  toPublished,
  type Weights,
} from './format.ts';
import { contribution, type UnitWords, unitWords, type Weighing } from './segment-words.ts';

export interface PassagePart {
  readonly slot: number;
  readonly payload: PassagePayload;
  readonly weights: Weights;
  readonly vector: Float32Array | undefined;
}

export interface DocumentParts {
  readonly number: number;
  readonly payload: DocumentPayload;
  readonly weights: Weights;
  readonly passages: readonly PassagePart[];
}

/** A document with everything that the index stores about it. */
export interface PublishedDocument {
  readonly record: DocumentRecord;
  readonly chunks: readonly ChunkRecord[];
  readonly heads: readonly Omit<ChunkHead, 'document'>[];
  readonly parents: readonly Parent[];
  /** The vector of each of `chunks`; undefined for a passage without a vector. */
  readonly vectors: readonly (Float32Array | undefined)[];
  readonly linked: ReadonlyMap<number, number>;
  readonly links: readonly Link[];
  readonly community: number | undefined;
  readonly analyzer: Analyzer;
}

/** Statistics of the collection, from which the weights of words are computed. */
export interface PartStatistics extends Pick<PublishedState, 'passages' | 'documents' | 'code'> {
  readonly documentsWith: (term: string) => number;
}

const TITLE = KEYWORD_FIELDS.indexOf('title');
const PASSAGE_WEIGHTS = KEYWORD_FIELDS.map((name) => RANKING.words.fields[name]);

/** @param digest digest of the sent data; it is stored with the document */
export function documentParts(
  document: PublishedDocument,
  digest: string,
  statistics: PartStatistics,
): DocumentParts {
  const { record, chunks, heads, analyzer } = document;
  const texts = { ...record, chunks, slots: chunks.map(({ slot }) => slot) };
  const entries = passageEntries(texts, analyzer);
  const passageWords = createKeywordRetriever({ idOf: String }).add(entries);
  const codeWords = createCodeRetriever({ idOf: String, queryTerms: () => [] }).add(entries);
  const wholeWords = createDocumentIndex().add([wholeEntry(texts, analyzer)]);
  const facts = catalogDocument({ ...record, ...record.fields });
  const keys = filterKeys(facts);
  const allHidden = heads.every(({ content }) => content === 0);
  const wordsOf = (segment: Segment | undefined) => (segment ? unitWords(segment) : []);
  const byUnit = (units: readonly UnitWords[]) => new Map(units.map((each) => [each.unit, each]));
  const [bySlot, codeBySlot] = [byUnit(wordsOf(passageWords)), byUnit(wordsOf(codeWords))];
  const [whole] = wordsOf(wholeWords);

  const passages = chunks.map((chunk, index): PassagePart => {
    const { slot } = chunk;
    const [own, code] = [bySlot.get(slot) ?? NO_WORDS(slot, KEYWORD_FIELDS.length), codeBySlot.get(slot)];
    const head = heads[index]!;
    const payload: PassagePayload = {
      document: record.number,
      ...keys,
      shown: head.content !== 0 || allHidden ? 1 : 0,
      languages: head.languages.map(languageOf),
      lengths: own.lengths,
      in: inDimensions(own),
      ...(code && { code: { lengths: code.lengths, in: inDimensions(code) } }),
      draw: drawOf(slot),
      chunk: toPublished(chunk),
    };
    const how = { ...statistics.passages, weights: PASSAGE_WEIGHTS, placed: true };
    return {
      slot,
      payload,
      vector: document.vectors[index],
      weights: {
        keyword: weightsOf(own, how),
        named: weightsOf(own, how, TITLE),
        ...(code && { code: weightsOf(code, { ...statistics.code, weights: [1], placed: false }) }),
      },
    };
  });

  const idfOf = (term: string) =>
    inverseUnitFrequency(statistics.documents.count, statistics.documentsWith(term));
  const own = whole ?? NO_WORDS(record.number, 2);
  const payload: DocumentPayload = {
    record,
    heads,
    parents: document.parents,
    ...keys,
    lengths: own.lengths,
    in: inDimensions(own),
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
  return {
    number: record.number,
    payload,
    passages,
    weights: {
      document: weightsOf(own, { ...statistics.documents, weights: [RANKING.words.names, 1], placed: false }),
      title: weightsOf(own, { ...statistics.documents, weights: [RANKING.words.names, 0], placed: false }),
    },
  };
}

const NO_WORDS = (unit: number, fields: number): UnitWords => ({
  unit,
  words: new Map(),
  lengths: Array.from({ length: fields }, () => 0),
});

function inDimensions({ words }: UnitWords): PassagePayload['in'] {
  return Object.fromEntries([...words].map(([term, occurrences]) => [dimensionOf(term), occurrences]));
}

/** Returns the occurrences in one field. Works only for the first field, because it reads only the start of the list. */
function onlyIn(field: number, occurrences: readonly number[], placed: boolean): readonly number[] {
  if (occurrences[0] !== field) return [];
  return occurrences.slice(0, placed ? 2 + occurrences[1]! : 2);
}

/** Returns the weight of each word, without weights of 0. @param alone the only field that counts. @default all fields count */
function weightsOf(
  { words, lengths }: UnitWords,
  how: Weighing,
  alone?: number,
): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const [term, all] of words) {
    const occurrences = alone === undefined ? all : onlyIn(alone, all, how.placed);
    const value = contribution(occurrences, lengths, how);
    const dimension = dimensionOf(term);
    if (value > 0) weights.set(dimension, Math.max(value, weights.get(dimension) ?? 0));
  }
  return weights;
}
