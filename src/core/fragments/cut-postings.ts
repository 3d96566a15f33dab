/** Cuts the word indexes of a collection into fragments that a search can load one by one. */
import { DEFINITION_MARK } from '../indexes/acronyms.ts';
import { saturate, weighFrequency } from '../indexes/bm25f.ts';
import { wordAt, wordCount } from '../indexes/dictionary.ts';
import { eachEntry } from '../indexes/posting-codec.ts';
import { readPostings, type Segment } from '../indexes/segment.ts';
import { KEYWORD_FIELDS, RANKING } from '../model/ranking-constants.ts';
import { compareText } from '../text/compare-text.ts';
import { memoize } from '../text/memoize.ts';
import type { CutProgress, Fragment } from './facts.ts';
import { type NamedFor, nameWeigher } from './name-weights.ts';
import {
  CONTENT,
  type DocumentPosting,
  encodePostings,
  HEADERS,
  type NameWeight,
  type Occurrence,
  type PassagePosting,
} from './term-postings.ts';
import { type Block, encodeWords, LIMIT_STEPS, type Term } from './words-fragment.ts';

/** A document; its index in `CutSource.documents` is its number in the export. */
export interface CutDocument extends NamedFor {
  /** Unit of the document in `documentWords`, and units of its passages in `passageWords`. */
  readonly number: number;
  readonly slots: readonly number[];
}

export interface CutSource {
  /** Documents in the order of the export. */
  readonly documents: readonly CutDocument[];
  /** One segment with the passages of these documents, and no others. */
  readonly passageWords: Segment;
  /** One segment with the names and whole texts of these documents, and no others. */
  readonly documentWords: Segment;
}

export interface CutSizes extends BlockSizes {
  /** Bytes of a dictionary fragment, before compression. */
  readonly words: number;
}

export const CUT_SIZES: CutSizes = { words: 10_000, block: 8_000, best: 2_000 };

export function totalLengths({ units, lengths, fieldCount }: Segment): readonly number[] {
  return Array.from({ length: fieldCount }, (_, field) =>
    lengths.subarray(field * units.length, (field + 1) * units.length).reduce((sum, each) => sum + each, 0),
  );
}

/**
 * Yields the files of dictionary and postings.
 * @returns the first term of each dictionary fragment
 */
export function* cutWords(source: CutSource, sizes = CUT_SIZES): Generator<Fragment, readonly string[]> {
  const starts: string[] = [];
  let fragment: Term[] = [];
  let size = 0;
  let files = 0;
  const { passageWords } = source;
  const averages = totalLengths(passageWords).map((total) => total / Math.max(1, passageWords.units.length));
  let progress: CutProgress | undefined;
  const flush = (): Fragment => {
    const bytes = encodeWords(fragment);
    starts.push(fragment[0]!.term);
    [fragment, size] = [[], 0];
    return { kind: 'words', number: starts.length - 1, bytes, ...(progress && { progress }) };
  };
  for (const { term, postings, passages, done, total } of eachTerm(source)) {
    progress = { phase: 'words', done, total };
    const bytes = encodePostings(postings);
    const blocks: Block[] = [];
    if (bytes.length > sizes.block) {
      for (const { held, ...block } of cutBlocks(postings, bytes.length, sizes, averages)) {
        blocks.push({ ...block, file: files });
        yield { kind: 'postings', number: files++, bytes: encodePostings(held) };
      }
    }
    fragment.push({
      term,
      passages,
      blocks,
      documents: postings.filter(({ names, text }) => names ?? text).length,
      ...(blocks.length === 0 && { postings: bytes }),
    });
    size += term.length + (blocks.length === 0 ? bytes.length : blocks.length * 8);
    if (size > sizes.words) yield flush();
  }
  if (fragment.length > 0) yield flush();
  return starts;
}

function* eachTerm(source: CutSource) {
  const { documents, passageWords, documentWords } = source;
  const owners = new Map<number, { readonly document: number; readonly passage: number }>();
  for (const [document, { slots }] of documents.entries()) {
    for (const [passage, slot] of slots.entries()) owners.set(slot, { document, passage });
  }
  const placeOf = new Map(documents.map(({ number }, document) => [number, document]));
  const weights = documents.map(nameWeigher(documentWords));
  const places = [passageWords, documentWords].map(({ terms }) => new Map(eachWord(terms)));
  const all = [...new Set(places.flatMap((place) => [...place.keys()]))].sort(compareText);
  for (const [before, term] of all.entries()) {
    if (term.startsWith(DEFINITION_MARK)) continue;
    const found = new Map<number, Draft>();
    const draft = memoize(
      (document: number): Draft => ({ document, fields: new Map(), passages: new Map() }),
      found,
    );
    for (const entry of entriesOf(documentWords, places[1]!.get(term))) {
      const made = draft(placeOf.get(entry.unit)!);
      if (entry.field === 0) made.names = { ...entry.occurrence, weights: weights[made.document]!(term) };
      else made.text = entry.occurrence;
    }
    const inPassages = places[0]!.get(term);
    for (const { unit, field, occurrence } of entriesOf(passageWords, inPassages)) {
      const { document, passage } = owners.get(unit)!;
      const made = draft(document);
      if (field === HEADERS || field === CONTENT) {
        const known = made.passages.get(passage) ?? { passage };
        const name = field === HEADERS ? 'headers' : 'content';
        made.passages.set(passage, { ...known, [name]: occurrence });
      } else made.fields.set(field, { field, ...occurrence });
    }
    const postings = [...found.values()]
      .sort((a, b) => a.document - b.document)
      .map(({ fields, passages, ...rest }) => ({
        ...rest,
        fields: [...fields.values()].sort((a, b) => a.field - b.field),
        passages: [...passages.values()].sort((a, b) => a.passage - b.passage),
      }));
    const passages = inPassages === undefined ? 0 : passageWords.unitFrequencies[inPassages]!;
    yield { term, passages, postings, done: before + 1, total: all.length };
  }
}

interface Draft {
  readonly document: number;
  names?: Occurrence & { readonly weights: readonly NameWeight[] };
  text?: Occurrence;
  readonly fields: Map<number, Occurrence & { readonly field: number }>;
  readonly passages: Map<number, PassagePosting>;
}

export function* eachWord(terms: Segment['terms']): Generator<readonly [string, number]> {
  for (let index = 0; index < wordCount(terms); index++) yield [wordAt(terms, index), index];
}

function* entriesOf(segment: Segment, term: number | undefined) {
  if (term === undefined) return;
  const { units, lengths } = segment;
  for (const { local, field, frequency } of eachEntry(readPostings(segment, term))) {
    const length = lengths[field * units.length + local]!;
    yield { unit: units[local]!, field, occurrence: { frequency, length } };
  }
}

interface BlockSizes {
  /** A term with more bytes of postings is cut into blocks of this size. */
  readonly block: number;
  /** Bytes of the block with the best documents of a term. */
  readonly best: number;
}

/**
 * Cuts the postings of a frequent term into one block per range of documents. Puts a block before them that repeats the postings
 * of the documents with the highest scores.
 * @param size bytes of all postings together
 * @param wanted target sizes, in bytes: of a range, and of the block of the best documents
 * @param averages average length of each field of a passage
 */
function cutBlocks(
  postings: readonly DocumentPosting[],
  size: number,
  wanted: BlockSizes,
  averages: readonly number[],
) {
  const countOf = (bytes: number) => Math.ceil((postings.length * bytes) / size);
  const count = countOf(wanted.block);
  const limits = new Map(postings.map((posting) => [posting, limitOf(posting, averages)]));
  const limit = (posting: DocumentPosting) => limits.get(posting)!;
  const best = postings
    .toSorted((a, b) => limit(b) - limit(a) || a.document - b.document)
    .slice(0, countOf(wanted.best));
  const isBest = new Set(best);
  const ranges = Array.from({ length: Math.ceil(postings.length / count) }, (_, index) =>
    postings.slice(index * count, (index + 1) * count),
  );
  const inOrder = best.sort((a, b) => a.document - b.document);
  return [inOrder, ...ranges].map((held) => ({
    held,
    from: held[0]!.document,
    to: held.at(-1)!.document,
    most: Math.max(...held.map(limit)),
    rest: Math.max(0, ...held.filter((posting) => !isBest.has(posting)).map(limit)),
  }));
}

/** Returns the highest saturated frequency of the term in any passage of the document, as a whole number up to `LIMIT_STEPS`. */
function limitOf({ fields, passages }: DocumentPosting, averages: readonly number[]): number {
  const { fields: weights, k1, b } = RANKING.words;
  const weigh = (field: number, found: Occurrence | undefined) => {
    if (!found) return 0;
    const name = KEYWORD_FIELDS[field]!;
    const { frequency, length } = found;
    return weighFrequency({ name, weight: weights[name], b }, frequency, length, averages[field]!);
  };
  const shared = fields.reduce((sum, each) => sum + weigh(each.field, each), 0);
  const own = passages.map(({ headers, content }) => weigh(HEADERS, headers) + weigh(CONTENT, content));
  const most = saturate(shared + Math.max(0, ...own), k1) / (k1 + 1);
  return Math.min(LIMIT_STEPS, Math.ceil(most * LIMIT_STEPS * (1 + 1e-9)));
}
