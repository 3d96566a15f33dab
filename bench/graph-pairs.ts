/** Makes a judged set out of a vault's own links: what stands around a link should find what it links to. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { randomNumbers } from '../src/core/evaluate/random-numbers.ts';
import { createLinkGraph, type LinkGraph } from '../src/core/graph/link-graph.ts';
import { parseDocument } from '../src/core/markdown/parse-document.ts';
import type { ParsedDocument } from '../src/core/model/document.ts';

const USAGE = `usage: node bench/graph-pairs.ts <vault> <folder to make>
  --pairs n     default 200
  --links how   kept (default): the sentence goes, its link stays; removed: both go`;

const LINK = /!?\[\[[^[\]\n]+\]\]|\[[^[\]\n]*\]\([^()\s]+\)/g;
const FEWEST_WORDS = 7;
const MOST_WORDS = 40;

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
const pairs = sample(askedOnce(allPairs(documents)), Number(values.pairs));
await writeSet(vault, out, pairs);
console.log(`${pairs.length} pairs of ${documents.length} documents in ${out}`);

async function readVault(root: string): Promise<ParsedDocument[]> {
  const paths = (await readdir(root, { recursive: true })).map((path) => path.split(sep).join('/'));
  const markdown = paths.filter((path) => extname(path) === '.md').sort();
  return Promise.all(
    markdown.map(async (path) => parseDocument(path, await readFile(join(root, path), 'utf8'))),
  );
}

function* allPairs(all: readonly ParsedDocument[]): Iterable<Pair> {
  const graph = graphOf(all);
  for (const [number, source] of all.entries()) {
    const neighbours = graph.neighbours(number);
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
      if (found === undefined || !neighbours.has(found) || words < FEWEST_WORDS || words > MOST_WORDS)
        continue;
      yield { source, target: all[found]!.path, line: link.line, sentence, query };
    }
  }

  function targetOf(number: number, link: ParsedDocument['links'][number]): number | undefined {
    // A graph with this one link in it resolves it by the rules of search.
    const source = all[number]!;
    graph.put({ ...named(all.length, source), links: [link] });
    const [target] = graph.neighbours(all.length).keys();
    graph.remove(all.length);
    return target;
  }
}

function graphOf(all: readonly ParsedDocument[]): LinkGraph {
  const graph = createLinkGraph();
  for (const [number, document] of all.entries()) graph.put(named(number, document));
  return graph;
}

function named(number: number, { path, title, aliases, links }: ParsedDocument) {
  return { number, collection: 'vault', path, title, aliases, links };
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

function sample(all: readonly Pair[], count: number): Pair[] {
  const random = randomNumbers(1);
  return all
    .map((pair) => ({ pair, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ pair }) => pair);
}

async function writeSet(root: string, folder: string, chosen: readonly Pair[]): Promise<void> {
  const docs = join(folder, 'docs');
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(docs), { recursive: true });
  await cp(root, docs, { recursive: true });
  for (const [path, own] of Map.groupBy(chosen, (pair) => pair.source.path)) {
    const lines = (await readFile(join(docs, path), 'utf8')).split('\n');
    for (const { line, sentence } of own) {
      const rest = values.links === 'kept' ? (sentence.match(LINK)?.[0] ?? '') : '';
      lines[line - 1] = (lines[line - 1] ?? '').replace(sentence, () => rest);
    }
    await writeFile(join(docs, path), lines.join('\n'));
  }
  const queries = chosen.map(({ query, source }, index) =>
    JSON.stringify({ _id: `q${index}`, text: query, metadata: { type: half(source.path) } }),
  );
  const judgements = chosen.flatMap(({ source, target }, index) => [
    `q${index}\t${target}\t2`,
    ...(target === source.path ? [] : [`q${index}\t${source.path}\t1`]),
  ]);
  await writeFile(join(folder, 'queries.jsonl'), `${queries.join('\n')}\n`);
  await writeFile(join(folder, 'qrels.tsv'), `${judgements.join('\n')}\n`);
}

/** Whole folders are held out, not pairs; Dendron's folders are the parts of a name between dots. */
function half(path: string): 'tune' | 'held-out' {
  const folder = path.split('/').slice(0, -1).join('/') + path.split('.').slice(0, -2).slice(0, 3).join('.');
  let sum = 0;
  for (const character of folder) sum = (sum * 31 + character.charCodeAt(0)) % 1009;
  return sum % 2 === 0 ? 'tune' : 'held-out';
}
