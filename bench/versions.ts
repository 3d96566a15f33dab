/**
 * Times searches by another checkout and by this one, question by question in turn, in one process. Whatever else runs on the machine
 * slows both. What was opened later may be faster by some hundredths, so all is done twice, in both orders. V8 compiles differently in
 * each process, so repeat the command: believe a difference of a twentieth only if all ratios agree.
 *
 *     git worktree add ../before main && ln -s "$PWD/node_modules" ../before
 *     node bench/versions.ts ../before FOLDER [--mode keyword] [--questions 400] [--rounds 4] [--indexes FOLDER] [--out FILE]
 *
 * The checkouts must share the dependencies: ONNX Runtime can be loaded only once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { SEARCH_MODES } from '../src/core/model/query.ts';
import type { Index } from '../src/engine/api.ts';
import { readVault } from './read-vault.ts';
import { keep } from './record.ts';
import { timed } from './timed.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'keyword' },
    questions: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '4' },
    /** Where the indexes `before` and `after` are kept for the next run. @default they are removed */
    indexes: { type: 'string' },
    out: { type: 'string' },
  },
});
const [other, folder] = positionals.map((path) => resolve(path));
const mode = SEARCH_MODES.find((each) => each === values.mode);
if (!other || !folder || !mode)
  throw new Error('Give another checkout, a folder of Markdown, and a search mode.');
const asked = { mode };
const rounds = Math.max(2, Number(values.rounds));
const questions = await sentences(folder, Number(values.questions));
const checkouts = { before: other, after: join(import.meta.dirname, '..') };
const indexes = values.indexes ?? (await mkdtemp(join(tmpdir(), 'docfuse-versions-')));
try {
  const passes = [await compare(['before', 'after']), await compare(['after', 'before'])];
  console.table(passes);
  const { documents, differ } = passes[0]!;
  console.log(`${documents} documents, ${questions.length} questions; ${differ} have other hits`);
  const what = { folder: basename(folder), mode, questions: questions.length, rounds };
  await keep('versions', { ...what, passes }, values.out);
} finally {
  if (!values.indexes) await rm(indexes, { recursive: true });
}

/** Opens both versions in this order and asks all questions. The first half of the rounds is not counted: V8 still compiles. */
async function compare(order: readonly (keyof typeof checkouts)[]) {
  const opened = new Map<string, Index>();
  for (const name of order) {
    const { open } = await import(pathToFileURL(join(checkouts[name], 'src/engine/open.ts')).href);
    const index: Index = await open({ roots: [folder], indexPath: join(indexes, name) });
    await index.sync({ embed: mode !== 'keyword' && mode !== 'code' });
    opened.set(name, index);
  }
  const times = { before: [] as number[], after: [] as number[] };
  let differ = 0;
  for (let round = 1; round <= rounds; round++) {
    for (const [place, question] of questions.entries()) {
      const hits = new Map<string, string>();
      for (const name of (place + round) % 2 === 0 ? order : order.toReversed()) {
        const took = await timed(async () => {
          // Spaces, because answers to equal questions are cached.
          const answer = await opened.get(name)!.search(question + ' '.repeat(round), asked);
          hits.set(name, answer.hits.map(({ chunkId }) => chunkId).join());
        });
        if (round > rounds / 2) times[name].push(took);
      }
      if (round === 1 && hits.get('before') !== hits.get('after')) differ++;
    }
  }
  const { documents } = (await opened.get('after')!.status()).index;
  for (const index of opened.values()) await index.close();
  const ratios = times.after.map((time, at) => time / times.before[at]!);
  const figures = { before: percentile(times.before, 0.5), after: percentile(times.after, 0.5) };
  const tails = { before95: percentile(times.before, 0.95), after95: percentile(times.after, 0.95) };
  const all = { ...figures, ...tails, ratio: percentile(ratios, 0.5) };
  const rounded = Object.entries(all).map(
    ([name, value]) => [name, Math.round(value * 1000) / 1000] as const,
  );
  return { first: order[0]!, ...(Object.fromEntries(rounded) as typeof all), documents, differ };
}

/** Six words in a row, each from another place of the folder. Equal ones are left out. */
async function sentences(from: string, count: number): Promise<readonly string[]> {
  const documents = (await readVault(from)).map(({ text }) => text.match(/\p{L}{2,}/gu) ?? []);
  const long = documents.filter(({ length }) => length > 6);
  const all = Array.from({ length: count }, (_, place) => {
    const words = long[Math.floor((place * long.length) / count)] ?? [];
    const start = (place * 37) % (words.length - 6);
    return words.slice(start, start + 6).join(' ');
  });
  return [...new Set(all)].filter((question) => question !== '');
}
