/** Sets of character trigrams as typed arrays, their sketches, and the similarity of two sets. */

/** The distinct trigrams of a lower-cased text, each as a 32-bit hash. */
export interface TrigramSet {
  readonly hashes: Uint32Array;
  /** Hash table with open addressing and linear probing; 0 marks a free place. */
  readonly table: Uint32Array;
  readonly sketch: TrigramSketch;
}

/** A sketch of half a kilobyte. In most cases, the sketches of two texts are enough to show that the texts differ. */
export interface TrigramSketch {
  readonly size: number;
  /** A set of 4,096 bits; each trigram sets one of them. */
  readonly bits: Uint32Array;
}

/** Number of 32-bit words of a sketch. Its 4,096 bits are enough: a passage of 1,500 characters sets about a third of them. */
const WORDS = 128;

/**
 * Makes the set of a text's trigrams. A trigram is three adjacent UTF-16 units, white space included. In about one of
 * 2,000 pairs of passages, two trigrams have the same 32-bit hash, which changes the similarity by about 0.001.
 */
export function trigramSet(text: string): TrigramSet {
  const lower = text.toLowerCase();
  const count = Math.max(0, lower.length - 2);
  // A power of two above twice the count.
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
  const hashes = new Uint32Array(count);
  const bits = new Uint32Array(WORDS);
  let size = 0;
  let first = lower.charCodeAt(0);
  let second = lower.charCodeAt(1);
  for (let at = 2; at < lower.length; at++) {
    const third = lower.charCodeAt(at);
    const hash = hashOf(first, second, third);
    const place = placeOf(table, hash);
    if (table[place] === 0) {
      table[place] = hash;
      hashes[size++] = hash;
      // The high bits of a product are well mixed: seven choose the word, five the bit.
      bits[hash >>> 25]! |= 1 << ((hash >>> 20) & 31);
    }
    first = second;
    second = third;
  }
  return { hashes: hashes.subarray(0, size), table, sketch: { size, bits } };
}

/** Jaccard similarity, 0–1: the number of trigrams in both sets divided by the number in either. 0 if a set is empty. */
export function trigramSimilarity(a: TrigramSet, b: TrigramSet): number {
  let both = 0;
  for (let i = 0; i < b.hashes.length; i++) {
    const hash = b.hashes[i]!;
    if (a.table[placeOf(a.table, hash)] === hash) both++;
  }
  const either = a.hashes.length + b.hashes.length - both;
  return either === 0 ? 0 : both / either;
}

/**
 * Returns false only if the similarity is certainly below `threshold`; a hundred times faster than computing the similarity.
 * Jaccard ≥ t means that at most (|A| + |B|) · (1 − t) / (1 + t) trigrams are in only one set. Each bit that is set in only one
 * sketch comes from at least one of these trigrams. Unrelated texts exceed this number within a few 32-bit words.
 */
export function mayBeSimilar(a: TrigramSketch, b: TrigramSketch, threshold: number): boolean {
  const { size: sizeA, bits: bitsA } = a;
  const { size: sizeB, bits: bitsB } = b;
  if (Math.min(sizeA, sizeB) + ROUNDING < threshold * Math.max(sizeA, sizeB)) return false;
  const most = ((sizeA + sizeB) * (1 - threshold)) / (1 + threshold) + ROUNDING;
  let different = 0;
  for (let word = 0; word < WORDS; word++) {
    different += countBits(bitsA[word]! ^ bitsB[word]!);
    if (different > most) return false;
  }
  return true;
}

/** Tolerance: rounding must not reject two sets whose similarity equals the threshold. */
const ROUNDING = 1e-6;

/** The place of the hash in the table, or the free place for it. */
function placeOf(table: Uint32Array, hash: number): number {
  const mask = table.length - 1;
  let place = (hash >>> 12) & mask;
  while (table[place] !== 0 && table[place] !== hash) place = (place + 1) & mask;
  return place;
}

/** Multiplicative hashing (Knuth, volume 3, 6.4) with the primes of xxHash; never 0, which marks a free place. */
function hashOf(first: number, second: number, third: number): number {
  const sum = Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77) + Math.imul(third, 0xc2b2ae3d);
  return sum >>> 0 || 1;
}

/** Counts the set bits of a 32-bit word, by adding neighbouring bits (Warren, Hacker's Delight, 5-1). */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
