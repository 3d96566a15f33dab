/** Makes a judged set out of a vault's own links: what stands around a link should find what it links to. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import { createLinkFinder } from '../src/core/graph/link-edges.ts';
import type { Link, ParsedDocument } from '../src/core/model/document.ts';
import { readVault } from './read-vault.ts';
import { shuffle } from './shuffle.ts';
import { writeJudgedSet } from './write-judged-set.ts';

const USAGE = `usage: node bench/graph-pairs.ts <vault> <folder to make>
  --pairs n     default 200
  --links how   kept (default): the sentence goes, its link stays; removed: both go`;

const LINK = /!?\[\[[^[\]\n]+\]\]|\[[^[\]\n]*\]\([^()\s]+\)/g;
const FEWEST_WORDS = 7;
const MAX_WORDS = 40;

interface Pair {
  readonly source: ParsedDocument;
  readonly target: string;
  /** 1-based line of the file, and the sentence on it. */
  readonly line: number;
  readonly sentence: string;
  readonly query: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '200' },
    links: { type: 'string', default: 'kept' },
  },
});
const [vault, out] = positionals;
if (!vault || !out || !['kept', 'removed'].includes(values.links)) throw new Error(USAGE);

const documents = await readVault(vault);
const pairs = shuffle(askedOnce(allPairs(documents)), randomNumbers(1)).slice(0, Number(values.pairs));
await writeSet(vault, out, pairs);
console.log(`${pairs.length} pairs of ${documents.length} documents in ${out}`);

function* allPairs(all: readonly ParsedDocument[]): Iterable<Pair> {
  const targetOf = linkTargets(all);
  for (const [number, source] of all.entries()) {
    const lines = source.text.split('\n');
    for (const link of source.links) {
      if (link.kind === 'related') continue;
      const sentence = sentenceWith(lines[link.line - source.firstLine] ?? '');
      if (!sentence) continue;
      const found = targetOf(number, link);
      const query = sentence
        .replace(LINK, ' ')
        .replaceAll(/[^\p{L}\p{N}.'-]+|(?<=\s|^)[.'-]+/gu, ' ')
        .trim();
      const words = query.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length;
      if (found === undefined || words < FEWEST_WORDS || words > MAX_WORDS) continue;
      yield { source, target: all[found]!.path, line: link.line, sentence, query };
    }
  }
}

/** The one sentence of a line that holds a link; lines with several are left out, their answer is not clear. */
function sentenceWith(line: string): string | undefined {
  const linked = line.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.search(LINK) >= 0);
  const [sentence] = linked;
  return linked.length === 1 && sentence?.match(LINK)?.length === 1 ? sentence : undefined;
}

/** One pair of a line; what several lines say, such as the foot of every release note, asks for none of them in particular. */
function askedOnce(found: Iterable<Pair>): Pair[] {
  const perLine = new Map([...found].map((pair) => [`${pair.source.path}:${pair.line}`, pair]));
  const perQuery = Map.groupBy(perLine.values(), ({ query }) => query);
  return [...perQuery.values()].flatMap((same) => (same.length === 1 ? same : []));
}

async function writeSet(root: string, folder: string, chosen: readonly Pair[]): Promise<void> {
  const docs = join(folder, 'docs');
  await rm(folder, { recursive: true, force: true });
  await cp(root, docs, { recursive: true });
  for (const [path, own] of Map.groupBy(chosen, (pair) => pair.source.path)) {
    const lines = (await readFile(join(docs, path), 'utf8')).split('\n');
    for (const { line, sentence } of own) {
      const rest = values.links === 'kept' ? (sentence.match(LINK)?.[0] ?? '') : '';
      lines[line - 1] = (lines[line - 1] ?? '').replace(sentence, () => rest);
    }
    await writeFile(join(docs, path), lines.join('\n'));
  }
  const made = chosen.map(({ query, source, target }) => ({
    query,
    type: half(source.path),
    judgements: new Map([
      [source.path, 1],
      [target, 2],
    ]),
  }));
  await writeJudgedSet(folder, made);
}

/** Whole folders are held out, not pairs; Dendron's folders are the parts of a name between dots. */
function half(path: string): 'tune' | 'held-out' {
  const folder = path.split('/').slice(0, -1).join('/') + path.split('.').slice(0, -2).slice(0, 3).join('.');
  let sum = 0;
  for (const character of folder) sum = (sum * 31 + character.charCodeAt(0)) % 1009;
  return sum % 2 === 0 ? 'tune' : 'held-out';
}

/** @returns the number of the document that a link of document `number` resolves to, unless it links to itself or to nothing */
function linkTargets(
  documents: readonly ParsedDocument[],
): (number: number, link: Link) => number | undefined {
  const named = documents.map((document, number) => ({ ...document, number, collection: 'vault' }));
  const find = createLinkFinder(named);
  return (number, link) => {
    const target = find(named[number]!, link);
    return target === number ? undefined : target;
  };
}
