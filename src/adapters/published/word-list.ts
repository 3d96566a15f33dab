/** The words of a published index with their counts, but without passages: for spelling, acronyms and prefixes. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { createAcronyms } from '../../core/indexes/acronyms.ts';
import { createDictionary, findWord, wordAt, wordCount } from '../../core/indexes/dictionary.ts';
import { expandPrefix } from '../../core/indexes/expand-prefix.ts';
import { countLive, createLiveSegments } from '../../core/indexes/live-segments.ts';
import { nearWords } from '../../core/indexes/near-words.ts';
import type { Segment } from '../../core/indexes/segment.ts';
import { createSegmentBuilder } from '../../core/indexes/segment-builder.ts';
import { decodeSegment, encodeSegment } from '../../core/indexes/segment-codec.ts';
import { packSurfaces } from '../../core/indexes/spellings.ts';
import type { CollectionWords } from '../../core/model/query.ts';
import { atOnce } from '../../core/steps.ts';
import { compareText } from '../../core/text/compare-text.ts';

/** An index whose words are listed. */
export interface WordSource {
  segments(): readonly Segment[];
  countOf(term: string): number;
}

export type WordList = ReturnType<typeof readWordList>;

/** Returns the words of passages and those of whole documents, packed. Equal words give equal bytes. */
export function packWordList(passages: WordSource, documents: WordSource): Uint8Array {
  const [own, whole] = [passages, documents].map((source) => encodeSegment(wordsAlone(source)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(own!.byteLength);
  return gzipSync(Buffer.concat([length, own!, whole!]));
}

/** Makes a segment without units. It keeps only the words, and for each word the number of live units that hold it. */
function wordsAlone({ segments, countOf }: WordSource): Segment {
  const all = new Set<string>();
  for (const { terms } of segments())
    for (let term = 0; term < wordCount(terms); term++) all.add(wordAt(terms, term));
  const counted = [...all].sort(compareText).flatMap((term) => {
    const units = countOf(term);
    return units > 0 ? [{ term, units }] : [];
  });
  const terms = createDictionary(counted.map(({ term }) => term));
  const rows = segments().flatMap(({ terms: own, surfaces, surfaceTerms, surfaceFrequencies }) =>
    Array.from(surfaceTerms, (at, index) => {
      const [word, term] = [wordAt(surfaces, index), findWord(terms, wordAt(own, at))];
      return { word: term < 0 ? '' : word, term, frequency: surfaceFrequencies[index]! };
    }),
  );
  return {
    ...atOnce(createSegmentBuilder({ fieldCount: 1, analyze: () => 0 }).build()),
    ...atOnce(packSurfaces(rows)),
    terms,
    postingStarts: new Uint32Array(counted.length + 1),
    unitFrequencies: Uint32Array.from(counted, ({ units }) => units),
  };
}

export function readWordList(packed: Uint8Array) {
  const bytes = gunzipSync(packed);
  const end = 4 + bytes.readUInt32LE(0);
  const passages = listedWords(bytes.subarray(4, end));
  return {
    passages,
    documents: listedWords(bytes.subarray(end)),
    /** Counts and spellings of words, for a search. The list has no positions, so phrases are not counted. */
    words: {
      ...createAcronyms(passages.live),
      countOf: passages.countOf,
      countOfPhrase: () => 0,
      longFormsOf: () => [],
      nearWords: (word, maxSlips) => nearWords([passages.segment], passages.countOf, word, maxSlips),
    } satisfies CollectionWords,
  };
}

function listedWords(packed: Uint8Array) {
  const segment = decodeSegment(packed);
  const live = createLiveSegments(1);
  live.add(segment);
  return {
    countOf: (term: string) => countLive(live, term),
    expandPrefix: (prefix: string) => expandPrefix(live, prefix),
    live,
    segment,
  };
}
