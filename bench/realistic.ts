/**
 * How often people find the right page of documentation that nobody tuned on, as the answer is shown: sure hits, then unsure ones.
 * Usage: node bench/realistic.ts FOLDER [--half looked|held|all] [--sets one,two] [--indexes FOLDER] [--out FILE].
 * FOLDER holds the vaults that test/quality/realistic names.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { open } from '../src/engine/open.ts';
import { belowGate } from '../test/quality/realistic/gate.ts';
import { keep } from './record.ts';

const SETS = join(import.meta.dirname, '../test/quality/realistic');

interface Question {
  readonly id: string;
  readonly vault: string;
  readonly query: string;
  readonly kind: string;
  /** Paths of pages that satisfy the asker; empty where none does. */
  readonly relevant: readonly string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every other question is looked at while working, the others only at the end. */
    half: { type: 'string', default: 'held' },
    sets: { type: 'string', default: 'one,two' },
    /** Of indexes, kept from one run to the next. */
    indexes: { type: 'string' },
    /** Of one set. @default `realistic-SET-HALF-DATE.json` among the results */
    out: { type: 'string' },
  },
});
const vaults = resolve(positionals[0] ?? '.');
/** Of this vault a part is asked about. */
const PART: Readonly<Record<string, string>> = { 'cpp-docs': 'docs/build' };

const sets = values.sets.split(',');
if (values.out && sets.length > 1) throw new Error('--out is one file. Name one set with --sets.');

const work = await mkdtemp(join(tmpdir(), 'docfuse-realistic-'));
for (const set of sets) {
  const outcomes = await ask(questionsOf(set));
  const measured = { sets: set, half: values.half, ...figures(outcomes) };
  console.log(JSON.stringify(measured, undefined, 2));
  if (values.half === 'looked') printWrong(outcomes);
  await keep(`realistic-${set}-${values.half}`, { ...measured, outcomes }, values.out);
  if (values.half !== 'held') continue;
  const missed = belowGate(set, measured);
  for (const sentence of missed) console.error(sentence);
  if (missed.length > 0) process.exitCode = 1;
}
await rm(work, { recursive: true });

function questionsOf(set: string): Question[] {
  return readFileSync(join(SETS, `${set}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Question)
    .filter((_, index) => values.half === 'all' || (index % 2 === 0) === (values.half === 'looked'));
}

type Outcome = Awaited<ReturnType<typeof ask>>[number];

async function ask(questions: readonly Question[]) {
  const outcomes = [];
  for (const [vault, asked] of Map.groupBy(questions, (question) => question.vault)) {
    const part = PART[vault] ?? '';
    await using index = await open({
      roots: [join(vaults, vault, part)],
      indexPath: join(values.indexes ?? work, vault),
    });
    await index.sync();
    for (const { id, query, kind, relevant } of asked) {
      const { hits, unsure } = await index.search(query);
      const pages = [...new Set([...hits, ...unsure].map(({ path }) => join(part, path)))];
      const place = pages.findIndex((page) => relevant.includes(page));
      outcomes.push({
        ...{ id, vault, kind, query, answerable: relevant.length > 0 },
        ...{
          place: place + 1,
          refused: hits.length === 0,
          confidence: hits[0]?.confidence ?? 'none',
          first: pages[0],
        },
      });
    }
  }
  return outcomes;
}

function figures(outcomes: readonly Outcome[]) {
  const answerable = outcomes.filter((each) => each.answerable);
  const others = outcomes.filter((each) => !each.answerable);
  const high = outcomes.filter(({ confidence }) => confidence === 'high');
  return {
    questions: outcomes.length,
    'hit@1': share(answerable, ({ place }) => place === 1),
    'hit@3': share(answerable, ({ place }) => place >= 1 && place <= 3),
    /** Of questions that a page answers, those without a sure hit. */
    wrongly_refused: share(answerable, ({ refused }) => refused),
    /** Of questions that a page answers, those with neither a sure hit nor a right unsure one. */
    nothing_right: share(answerable, ({ refused, place }) => refused && place === 0),
    /** Of questions that no page answers. */
    refused: share(others, ({ refused }) => refused),
    unanswerable_called_high: others.filter(({ confidence }) => confidence === 'high').length,
    called_high: high.length,
    high_and_right: share(high, ({ place }) => place === 1),
  };
}

function share(all: readonly Outcome[], isPart: (outcome: Outcome) => boolean): number {
  return Number((all.filter(isPart).length / all.length).toFixed(3));
}

function printWrong(outcomes: readonly Outcome[]): void {
  for (const each of outcomes) {
    const wrong = each.answerable ? each.place !== 1 : !each.refused;
    if (wrong)
      console.log(
        `${each.place}  ${each.confidence}  ${each.kind}  ${each.vault}  ${each.query}  → ${each.first}`,
      );
  }
}
