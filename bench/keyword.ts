/**
 * Keyword search over 100,000 made-up chunks: building, saving, merging, and the time of a query of three very common
 * words (in about 50, 30 and 20 % of the chunks) beside a plain scorer over maps of postings.
 *
 *     node bench/keyword.ts [chunks]
 */

import { percentile, randomNumbers } from '../src/core/evaluate/statistics.ts';
import { createKeywordRetriever } from '../src/core/indexes/keyword.ts';
import { mergeSegments } from '../src/core/indexes/merge.ts';
import { eachEntry } from '../src/core/indexes/posting-codec.ts';
import type { IndexEntry } from '../src/core/indexes/retriever.ts';
import { readPostings } from '../src/core/indexes/segment.ts';
import { decodeSegment, encodeSegment } from '../src/core/indexes/segment-codec.ts';
import type { ParsedQuery, QueryTerm } from '../src/core/model/query.ts';
import { atOnce } from '../src/core/steps.ts';
import { analyze } from '../src/core/text/analyze.ts';
import { keep } from './record.ts';

const CHUNKS = Number(process.argv[2] ?? 100_000);
const BATCH = 20_000;
const VOCABULARY = 60_000;
const WORDS_PER_CHUNK = 120;
const COMMON = { alder: 0.5, birch: 0.3, cedar: 0.2 };

const random = randomNumbers(7);
const words = Array.from({ length: VOCABULARY }, (_, i) => madeUpWord(i));
const cumulative = zipf(VOCABULARY);

const retriever = createKeywordRetriever({ idOf: String });
let characters = 0;
let buildTime = 0;
for (let first = 0; first < CHUNKS; first += BATCH) {
  const entries = Array.from({ length: Math.min(BATCH, CHUNKS - first) }, (_, i) => chunkEntry(first + i));
  characters += entries.reduce((sum, { chunk }) => sum + chunk.text.length, 0);
  buildTime += time(() => retriever.add(entries));
}

const segments = retriever.segments();
const saved: Uint8Array[] = [];
const encodeTime = time(() => {
  for (const segment of segments) saved.push(encodeSegment(segment));
});
const bytes = saved.reduce((sum, one) => sum + one.length, 0);
const decodeTime = time(() => saved.map(decodeSegment));
const mergeTime = time(() => atOnce(mergeSegments(segments, () => true)));

const query: ParsedQuery = {
  text: Object.keys(COMMON).join(' '),
  plain: Object.keys(COMMON).join(' '),
  terms: Object.keys(COMMON).flatMap(termsOf),
  words: [],
  phrases: [],
  required: [],
  excludedTerms: [],
  excludedPhrases: [],
  filters: {},
};
const naive = naiveScorer();
const same = retriever
  .search({ parsed: query }, 100)
  .entries.every(({ score }, i) => Math.abs(score - naive()[i]!.score) < 1e-9);
const engine = times(() => retriever.search({ parsed: query }, 100), 201);
const plain = times(naive, 41);

const measured = {
  chunks: CHUNKS,
  segments: segments.length,
  megabytesOfText: round(characters / 1e6),
  buildMegabytesPerSecond: round(characters / 1e3 / buildTime),
  segmentMegabytes: round(bytes / 1e6),
  encodeMegabytesPerSecond: round(bytes / 1e3 / encodeTime),
  decodeMegabytesPerSecond: round(bytes / 1e3 / decodeTime),
  mergeMilliseconds: round(mergeTime),
  queryMilliseconds: { median: round(percentile(engine, 0.5)), least: round(engine[0]!) },
  plainMilliseconds: { median: round(percentile(plain, 0.5)), least: round(plain[0]!) },
  timesFaster: round(percentile(plain, 0.5) / percentile(engine, 0.5)),
  sameAnswer: same,
};
console.log(JSON.stringify(measured, undefined, 2));
await keep('keyword', measured);

function chunkEntry(slot: number): IndexEntry {
  const text: string[] = [];
  for (let i = 0; i < WORDS_PER_CHUNK; i++) text.push(words[pick()]!);
  for (const [word, share] of Object.entries(COMMON)) {
    if (random() < share) for (let n = 0; n < 1 + random() * 3; n++) text.push(word);
  }
  const document = Math.floor(slot / 8);
  const title = `${words[document % VOCABULARY]} ${words[(document * 7) % VOCABULARY]}`;
  return {
    slot,
    chunk: {
      id: slot.toString(16).padStart(13, '0'),
      text: text.join(' '),
      headingPath: [title, words[(slot * 31) % VOCABULARY]!],
      codeBlocks: [],
    },
    document: { title, keywords: [], tags: ['oak', 'elm'], aliases: [] },
  };
}

/** BM25F over a map of postings and a map of scores, as one would write it without thought of speed. */
function naiveScorer(): () => { slot: number; score: number }[] {
  const postings = new Map<string, { slot: number; tf: number; length: number }[]>();
  let total = 0;
  for (const { term } of query.terms) postings.set(term, []);
  for (const segment of segments) {
    const content = segment.fieldCount - 1;
    const lengths = segment.lengths.subarray(content * segment.units.length);
    total += lengths.reduce((sum, length) => sum + length, 0);
    for (const { term } of query.terms) {
      for (const { local, frequency } of eachEntry(readPostings(segment, termIndex(segment, term))))
        postings.get(term)!.push({ slot: segment.units[local]!, tf: frequency, length: lengths[local]! });
    }
  }
  const average = total / CHUNKS;
  return () => {
    const scores = new Map<number, number>();
    for (const { term } of query.terms) {
      const list = postings.get(term)!;
      const idf = Math.log(1 + (CHUNKS - list.length + 0.5) / (list.length + 0.5));
      for (const { slot, tf, length } of list) {
        const frequency = tf / (1 - 0.75 + (0.75 * length) / average);
        scores.set(slot, (scores.get(slot) ?? 0) + (idf * frequency * 2.2) / (frequency + 1.2));
      }
    }
    return [...scores]
      .map(([slot, score]) => ({ slot, score }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
      .slice(0, 100);
  };
}

function termIndex(segment: (typeof segments)[number], term: string): number {
  const { text, starts } = segment.terms;
  for (let i = 0; i + 1 < starts.length; i++) if (text.slice(starts[i], starts[i + 1]) === term) return i;
  throw new Error(`${term} is not in the segment`);
}

function termsOf(text: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  analyze(text, (term) => void terms.push({ term, surface: text, prefix: false }));
  return terms;
}

/** Word number i in letters, longer the rarer, as words are. */
function madeUpWord(i: number): string {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'te', 'vo', 'wi', 'zu'];
  return [...String(i + 10)].map((digit) => syllables[Number(digit)]).join('');
}

function zipf(size: number): Float64Array {
  let sum = 0;
  return Float64Array.from({ length: size }, (_, i) => (sum += 1 / (i + 2.7)));
}

function pick(): number {
  const wanted = random() * cumulative.at(-1)!;
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Milliseconds of each run, ascending. */
function times(run: () => unknown, runs: number): readonly number[] {
  return Array.from({ length: runs }, () => time(run)).sort((a, b) => a - b);
}

function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
