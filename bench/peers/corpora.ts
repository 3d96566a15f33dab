/** What all engines index and are asked: passages of a folder or of made-up documents, and vectors in clusters. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkDocument, DEFAULT_CHUNKING } from '../../src/core/chunk/chunk-document.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import type { Passage, VectorCorpus, WordCorpus } from './engine.ts';

/** Passages as docfuse cuts them; queries are six words in a row from lines spread over the folder. */
export async function readWordCorpus(folder: string, queryCount: number): Promise<WordCorpus> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.md')).sort();
  const passages: Passage[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    const parsed = parseDocument(file, text);
    for (const { text: passage, headingPath } of chunkDocument(file, parsed, DEFAULT_CHUNKING).chunks) {
      passages.push({ title: parsed.title, headings: headingPath.slice(1), text: passage });
    }
    for (const line of text.split('\n')) {
      const words = line.match(/\p{L}+/gu) ?? [];
      if (words.length >= 6) lines.push(words.slice(0, 6).join(' '));
    }
  }
  const step = Math.max(1, Math.floor(lines.length / queryCount));
  const queries = lines.filter((_, number) => number % step === 0).slice(0, queryCount);
  return { kind: 'words', passages, queries };
}

const DIMENSIONS = 384;
/** How far a row lies from the middle of its cluster; passages of one subject have a cosine of about .7. */
const SPREAD = 0.65;

/** Unit vectors in clusters of about a hundred; queries lie near rows. The same ones every time. */
export function makeVectorCorpus(count: number, queryCount: number): VectorCorpus {
  const random = numbers();
  const unit = () => toUnit(Float32Array.from({ length: DIMENSIONS }, random));
  const near = (middle: Float32Array) => {
    const away = unit();
    return toUnit(middle.map((value, i) => value + SPREAD * away[i]!));
  };
  const middles = Array.from({ length: Math.ceil(count / 100) }, unit);
  const rows = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) rows.set(near(middles[row % middles.length]!), row * DIMENSIONS);
  const queries = Array.from({ length: queryCount }, (_, number) => {
    const row = Math.floor((number * count) / queryCount);
    return near(rows.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS));
  });
  return { kind: 'vectors', dimensions: DIMENSIONS, rows, queries };
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Numbers around 0, about normal: the sum of three uniform ones from a generator by Park and Miller (1988). */
function numbers(): () => number {
  let state = 42;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return () => uniform() + uniform() + uniform();
}
