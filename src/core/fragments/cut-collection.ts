/** Cuts a whole collection into fragments: words, postings and texts. */
import { DocfuseError } from '../errors.ts';
import type { Catalog } from '../indexes/catalog.ts';
import { mergeSegments } from '../indexes/merge.ts';
import type { Segment } from '../indexes/segment.ts';
import { defined } from '../model/defined.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { ChunkRecord, Lexicon } from '../ports.ts';
import { atOnce } from '../steps.ts';
import type { Analyzers } from '../text/analyzer.ts';
import { compareText } from '../text/compare-text.ts';
import { CUT_SIZES, type CutSizes, cutWords, eachWord, totalLengths } from './cut-postings.ts';
import type { CollectionFacts, Fragment } from './facts.ts';
import { cutSpellings } from './spellings.ts';
import { encodeTexts, type LinkCounts, type ShownDocument } from './text-fragment.ts';

export interface CollectionSource {
  readonly catalog: Pick<Catalog, 'all' | 'slotsOf' | 'isShown'>;
  readonly passageWords: readonly Segment[];
  readonly documentWords: readonly Segment[];
  /** Returns passages in the order of `slots`. */
  readonly readChunks: (slots: readonly number[]) => readonly ChunkRecord[];
  readonly analyzers: Analyzers;
  readonly lexicon: Pick<Lexicon, 'words'>;
  /** @param number the number of the document in the catalog */
  readonly linksOf: (number: number) => LinkCounts;
}

export interface Cut {
  readonly facts: CollectionFacts;
  /** Documents sorted by id, which is the order of the export. `number` is the number in the export. */
  readonly documents: readonly ShownDocument[];
  /** For each number in the export, the number of the same document in the catalog. */
  readonly formerNumbers: readonly number[];
  /** Number of passages in a fragment of texts. */
  readonly textsEach: number;
}

/** Mean number of characters in a fragment of texts. */
const TEXTS_SIZE = 6_000;

/** Yields the fragments. @returns the facts that a search needs besides the fragments */
export function* cutCollection(
  source: CollectionSource,
  sizes: CutSizes = CUT_SIZES,
): Generator<Fragment, Cut> {
  const { catalog, analyzers } = source;
  const former = [...catalog.all()].sort((a, b) => compareText(a.id, b.id));
  const formerNumbers = former.map(({ number }) => number);
  const slots = formerNumbers.map(catalog.slotsOf);
  const passageWords = merged(source.passageWords, new Set(slots.flat()));
  const documentWords = merged(source.documentWords, new Set(formerNumbers));
  const analyzed = former.map((document, place) => {
    const analyzer = analyzers.of(document.collection);
    return { ...document, slots: slots[place]!, analyzer };
  });
  const starts = yield* cutWords({ passageWords, documentWords, documents: analyzed }, sizes);
  const letters = yield* cutSpellings(passageWords, source.lexicon.words());
  const documents = former.map((document, number) =>
    shownDocument({ ...document, number }, slots[number]!.length, source.linksOf(document.number)),
  );
  const textsEach = yield* cutTexts(documents, slots, source.readChunks);
  const facts: CollectionFacts = {
    passages: slots.map(({ length }) => length),
    passageLengths: totalLengths(passageWords),
    documentLengths: totalLengths(documentWords),
    hidden: [...slots.flat().entries()].flatMap(([slot, old]) => (catalog.isShown(old) ? [] : [slot])),
    starts,
    letters,
    stopWords: countStopWords(documentWords, analyzers),
  };
  return { facts, documents, formerNumbers, textsEach };
}

function countStopWords({ terms, unitFrequencies }: Segment, { all }: Analyzers) {
  const stopWords = [...eachWord(terms)].filter(([word]) => all.some(({ isStopWord }) => isStopWord(word)));
  return stopWords.map(([word, index]) => [word, unitFrequencies[index]!] as const);
}

/** Merges the live units into one segment. If several segments have the same unit, the last of them is used. */
function merged(segments: readonly Segment[], isLive: ReadonlySet<number>): Segment {
  const owner = new Map<number, number>();
  for (const [index, { units }] of segments.entries()) for (const unit of units) owner.set(unit, index);
  const isHeld = (index: number, local: number) => {
    const unit = segments[index]!.units[local]!;
    return isLive.has(unit) && owner.get(unit) === index;
  };
  return atOnce(mergeSegments(segments, isHeld));
}

function* cutTexts(
  documents: readonly ShownDocument[],
  slots: readonly (readonly number[])[],
  readChunks: CollectionSource['readChunks'],
): Generator<Fragment, number> {
  const all = slots.flatMap((each, document) => each.map((slot) => ({ slot, document })));
  const sample = readChunks(all.filter((_, at) => at % 50 === 0).map(({ slot }) => slot));
  const mean = sample.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, sample.length);
  const textsEach = Math.min(64, Math.max(2, Math.round(TEXTS_SIZE / Math.max(1, mean))));
  for (let number = 0; number * textsEach < all.length; number++) {
    const held = all.slice(number * textsEach, (number + 1) * textsEach);
    const chunks = readChunks(held.map(({ slot }) => slot));
    if (chunks.length < held.length)
      throw new DocfuseError(
        'index_damaged',
        'Passages are missing in the index.',
        'Run `docfuse index --rebuild`, and export again.',
      );
    const shown = [...new Set(held.map(({ document }) => document))];
    const passages = chunks.map((chunk, index) => {
      const { headingPath, text, overlap, start, end, startLine, endLine, codeBlocks } = chunk;
      const { document } = held[index]!;
      return { document, headingPath, text, overlap, start, end, startLine, endLine, codeBlocks };
    });
    const bytes = encodeTexts({ documents: shown.map((each) => documents[each]!), passages });
    const done = number * textsEach + held.length;
    yield { kind: 'texts', number, bytes, progress: { phase: 'texts', done, total: all.length } };
  }
  return textsEach;
}

function shownDocument(document: CatalogDocument, chunks: number, links: LinkCounts): ShownDocument {
  const { number, collection, path, title, aliases, tags, category, author, modified } = document;
  return {
    number,
    collection,
    path,
    title,
    tags,
    modified,
    chunks,
    ...links,
    ...defined({ aliases: aliases?.length ? aliases : undefined, category, author }),
  };
}
