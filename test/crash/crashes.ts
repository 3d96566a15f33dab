/** Kills a process that writes an index, or damages what it leaves behind, and says whether the index came through. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../src/core/errors.ts';
import { randomNumbers } from '../../src/core/evaluate/statistics.ts';
import type { Index } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { type Answers, answersIn, answersOf, difference } from './answers.ts';
import { DAMAGES } from './damages.ts';
import { askAtOnce, versionsIn } from './said.ts';

export interface CrashOptions {
  readonly kills: number;
  /** Damages, each to a copy of what a kill left. */
  readonly damages: number;
  readonly seed: number;
  /** Kinds of damage. @default all */
  readonly kinds?: readonly string[];
  /** Told what an index came through, and all that was so far. */
  readonly onSurvived?: (line: string, report: CrashReport) => void;
  /** Ends the run after the round at hand. */
  readonly signal?: AbortSignal;
}

export interface CrashReport {
  readonly kills: number;
  /** Kills by what the process did. */
  readonly killedWhile: Readonly<Record<string, number>>;
  /** Rounds of indexing that the killed processes had completed. */
  readonly rounds: number;
  readonly damages: number;
  /** By what was damaged and how the index answered. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers compared with what the files ever said, before anything was mended; and those refused, of damaged indexes alone. */
  readonly passages: number;
  readonly refused: number;
}

const CHILD = join(import.meta.dirname, 'writer-child.ts');
/** After the child is ready; its rounds take some ten milliseconds, those with vectors some hundred. */
const MAX_LIFE_MS_LENGTH = 1_200;
/** For the line that was waited for. */
const MAX_WAIT_MS_LENGTH = 20_000;
/** After that line; what needs the model takes longer. */
const MAX_AFTER_MS_LENGTH = 40;
const MAX_AFTER_VOCABULARY_MS_LENGTH = 300;

/** Last lines of the child, and what it did then. */
const PHASES: Readonly<Record<string, string>> = {
  ready: 'before the first document',
  rebuilding: 'rebuilding',
  saving: 'saving and merging segments',
  embedding: 'making vectors',
  'changing-model': 'making vectors with another model',
  vocabulary: 'gathering the vocabulary',
  synced: 'between rounds',
};

/** @throws Error naming the round, with the seed that repeats it, as soon as an index did not come through */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const { kills, damages, seed, kinds = Object.keys(DAMAGES), onSurvived, signal } = options;
  const random = randomNumbers(seed);
  const work = mkdtempSync(join(tmpdir(), 'docfuse-crash-'));
  const places = ['docs', 'index', 'copy', 'fresh'].map((name) => join(work, name));
  const [folder, indexPath, copy, fresh] = places as [string, string, string, string];
  const otherModel = makeOtherModel(join(work, 'other-model'));
  const killedWhile: Record<string, number> = {};
  const outcomes: Record<string, number> = {};
  const asked = { passages: 0, refused: 0 };
  let [rounds, killed, damaged] = [0, 0, 0];
  const report = (): CrashReport => ({
    kills: killed,
    killedWhile,
    rounds,
    damages: damaged,
    outcomes,
    ...asked,
  });
  mkdirSync(folder);
  try {
    for (let round = 0; (killed < kills || damaged < damages) && !signal?.aborted; round++) {
      const where = `round ${round} of seed ${seed}`;
      const life = await killWriter(
        [folder, indexPath, otherModel, String(Math.floor(random() * 1e9))],
        random,
      );
      rounds += life.rounds;
      if (!existsSync(join(indexPath, 'index.sqlite'))) {
        if (life.committed.size > 0) throw new Error(`${where}: the index is not there.`);
        continue;
      }
      const said = versionsIn(`${folder}.said`);
      rmSync(fresh, { recursive: true, force: true });
      const undisturbed = await answersOf(folder, fresh);
      const kind = kinds[(round * 7 + Math.floor(random() * 3)) % kinds.length]!;
      rmSync(copy, { recursive: true, force: true });
      cpSync(indexPath, copy, { recursive: true });
      if (damaged < damages && DAMAGES[kind]!(join(copy, 'index.sqlite'), random)) {
        const place = `${where}, ${kind}`;
        const first = await askAtOnce(folder, copy, said, place);
        asked.passages += first.passages;
        if (first.refusal) asked.refused++;
        const outcome = `${kind}: ${await outcomeOf(folder, copy, undisturbed, place)}`;
        damaged++;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        onSurvived?.(outcome, report());
      }
      const place = `${where}, killed ${life.phase}`;
      const { passages, refusal } = await askAtOnce(folder, indexPath, said, place);
      if (refusal) throw new Error(`${place}: ${refusal.message}`);
      asked.passages += passages;
      await checkKilled(folder, indexPath, life.committed, undisturbed, place);
      killed++;
      killedWhile[life.phase] = (killedWhile[life.phase] ?? 0) + 1;
      onSurvived?.(`${killed} survived; killed ${life.phase} after ${life.rounds} rounds`, report());
    }
    return report();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Life {
  readonly rounds: number;
  readonly phase: string;
  /** Documents that were said to be in the index, and not said to be gone since. */
  readonly committed: ReadonlySet<string>;
}

async function killWriter(args: readonly string[], random: () => number): Promise<Life> {
  const phases = Object.keys(PHASES);
  // Half of them are killed at any time, the others soon after they began what they aim at.
  const aim = random() < 0.5 ? '' : phases[Math.floor(random() * phases.length)]!;
  const child = spawn(process.execPath, [CHILD, ...args, aim], { stdio: ['ignore', 'pipe', 'pipe'] });
  const began = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    began.resolve();
    if (text.split('\n').includes(aim)) reached.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  await Promise.race([began.promise, closed]);
  if (aim === '') await sleep(random() * MAX_LIFE_MS_LENGTH);
  else {
    await Promise.race([reached.promise, closed, sleep(MAX_WAIT_MS_LENGTH, undefined, { ref: false })]);
    await sleep(random() * (aim === 'vocabulary' ? MAX_AFTER_VOCABULARY_MS_LENGTH : MAX_AFTER_MS_LENGTH));
  }
  child.kill('SIGKILL');
  await closed;
  if (errors !== '') throw new Error(`The writer failed by itself:\n${errors}`);
  return lifeOf(out.split('\n').slice(0, -1));
}

function lifeOf(lines: readonly string[]): Life {
  const committed = new Set<string>();
  for (const line of lines) {
    const [change, document] = line.split(' ');
    if (line === 'rebuilding') committed.clear();
    else if (change === 'removed') committed.delete(document!);
    else if (document) committed.add(document);
  }
  const rounds = lines.filter((line) => line === 'synced').length;
  return { rounds, phase: PHASES[lines.at(-1) ?? 'ready'] ?? 'amid documents', committed };
}

/** What doctor calls a failure, apart from what follows from others. */
async function failuresSeen(index: Index): Promise<readonly string[]> {
  const checks = await index.check();
  return checks
    .filter(({ name, state }) => state === 'failure' && name !== 'query')
    .map(({ detail }) => detail);
}

/** Opens, is sound, holds what was committed, and once finished answers like an index that was never disturbed. */
async function checkKilled(
  folder: string,
  indexPath: string,
  committed: ReadonlySet<string>,
  undisturbed: Answers,
  where: string,
): Promise<void> {
  await using index = await open({ roots: [folder], indexPath });
  const bad = await failuresSeen(index);
  if (bad.length > 0) throw new Error(`${where}: ${bad.join(' ')}`);
  const held = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { documents, nextCursor } = await index.list({ limit: 100, ...(cursor && { cursor }) });
    for (const { documentId } of documents) held.add(documentId);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  // A removal may have been saved just before the kill, and not said. Its file is gone then.
  const lost = [...committed].filter(
    (document) => !held.has(document) && existsSync(join(folder, '..', document)),
  );
  if (lost.length > 0) throw new Error(`${where}: ${lost.join(', ')} was committed and is lost.`);
  await index.sync();
  const wrong = difference(await answersIn(index), undisturbed);
  if (wrong) throw new Error(`${where}: ${wrong}`);
}

/** Right answers, or a sentence that says what to do, which then helps; and doctor has seen what needs to be done. */
async function outcomeOf(
  folder: string,
  indexPath: string,
  undisturbed: Answers,
  where: string,
): Promise<string> {
  let failure: DocfuseError;
  {
    await using index = await open({ roots: [folder], indexPath });
    const found = await failuresSeen(index);
    try {
      await index.sync();
      const wrong = difference(await answersIn(index), undisturbed);
      if (wrong) throw new Error(`${where}: ${wrong}`);
      return 'recovered';
    } catch (error) {
      if (!(error instanceof DocfuseError)) throw new Error(`${where}: ${(error as Error).stack}`);
      if (found.length === 0) throw new Error(`${where}: doctor does not see “${error.message}”`);
      failure = error;
    }
  }
  return carryOut(failure, folder, indexPath, undisturbed, where);
}

async function carryOut(
  { message, remedy }: DocfuseError,
  folder: string,
  indexPath: string,
  undisturbed: Answers,
  where: string,
): Promise<string> {
  const file = join(indexPath, 'index.sqlite');
  const told = /delete (it|that file)/i.test(remedy) ? 'deleted' : 'rebuilt';
  if (told === 'deleted') rmSync(message.includes('.lock') ? `${file}.lock` : file);
  else if (!remedy.includes('index --rebuild')) throw new Error(`${where}: “${message} ${remedy}”`);
  const answers = await answersOf(folder, indexPath, told === 'rebuilt').catch((error: Error) => {
    throw new Error(`${where}, ${told} as told:\n${error.stack}`);
  });
  const wrong = difference(answers, undisturbed);
  if (wrong) throw new Error(`${where}, ${told} as told: ${wrong}`);
  return `${told} as told`;
}
