/** Kills a process that writes an index, or damages what it leaves behind, and says whether the index came through. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../src/core/errors.ts';
import type { SearchMode } from '../../src/core/model/query.ts';
import type { Index } from '../../src/engine/api.ts';
import { mulberry32 } from '../../src/engine/communities.ts';
import { open } from '../../src/engine/open.ts';

export interface CrashOptions {
  readonly kills: number;
  /** Damages done to the log and to segments, each to a copy of what a kill left. */
  readonly damages: number;
  readonly seed: number;
  readonly onRound?: (line: string) => void;
  /** Ends the run after the round at hand. */
  readonly signal?: AbortSignal;
}

export interface CrashReport {
  readonly kills: number;
  /** Kills before the first document, between documents, while vectors were to be made, after a whole round. */
  readonly killedWhile: Readonly<Record<string, number>>;
  /** Rounds of indexing that the killed processes had completed. */
  readonly rounds: number;
  readonly damages: number;
  /** By what was damaged and how the index answered. */
  readonly outcomes: Readonly<Record<string, number>>;
}

const CHILD = join(import.meta.dirname, 'writer-child.ts');
const QUERIES = ['lantern', 'cellar orchard', 'harbour kettle granite', '"meadow violin"', 'title:violin'];
/** After the child is ready; its rounds take some ten milliseconds, those with vectors some hundred. */
const LONGEST_LIFE_MS = 1_200;

/** @throws Error naming the round, with the seed that repeats it, as soon as an index did not come through */
export async function runCrashes({
  kills,
  damages,
  seed,
  onRound,
  signal,
}: CrashOptions): Promise<CrashReport> {
  const random = mulberry32(seed);
  const work = mkdtempSync(join(tmpdir(), 'docfuse-crash-'));
  const [folder, indexPath] = [join(work, 'docs'), join(work, 'index')];
  const killedWhile: Record<string, number> = {};
  const outcomes: Record<string, number> = {};
  let rounds = 0;
  let killed = 0;
  let damaged = 0;
  mkdirSync(folder);
  try {
    for (let round = 0; round < Math.max(kills, damages) && !signal?.aborted; round++) {
      const life = await killWriter(
        folder,
        indexPath,
        Math.floor(random() * 1e9),
        random() * LONGEST_LIFE_MS,
      );
      rounds += life.rounds;
      killedWhile[life.phase] = (killedWhile[life.phase] ?? 0) + 1;
      const undisturbed = await answersOf(folder, join(work, 'fresh'), { rebuild: true });
      if (round < damages && existsSync(indexPath)) {
        damaged++;
        const copy = join(work, 'copy');
        rmSync(copy, { recursive: true, force: true });
        cpSync(indexPath, copy, { recursive: true });
        const what = damage(join(copy, 'index.sqlite'), random);
        const outcome = `${what}: ${await outcomeOf(folder, copy, undisturbed, `round ${round} of seed ${seed}, ${what}`)}`;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      await checkKilled(folder, indexPath, life.committed, undisturbed, `round ${round} of seed ${seed}`);
      killed++;
      onRound?.(`${killed} survived; killed ${life.phase} after ${life.rounds} rounds`);
    }
    return { kills: killed, killedWhile, rounds, damages: damaged, outcomes };
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

async function killWriter(folder: string, indexPath: string, seed: number, lifeMs: number): Promise<Life> {
  const child = spawn(process.execPath, [CHILD, folder, indexPath, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  await sleep(lifeMs);
  child.kill('SIGKILL');
  await closed;
  if (errors !== '') throw new Error(`The writer failed by itself:\n${errors}`);
  const lines = out.split('\n').slice(1, -1);
  const committed = new Set<string>();
  for (const line of lines) {
    const [change, document] = line.split(' ');
    if (change === 'removed') committed.delete(document!);
    else if (document) committed.add(document);
  }
  const rounds = lines.filter((line) => line === 'synced' || line === 'embedded').length;
  return { rounds, phase: phaseAfter(lines.at(-1)), committed };
}

function phaseAfter(line: string | undefined): string {
  if (line === undefined) return 'before the first document';
  if (line === 'vectors') return 'while vectors were made';
  return line.includes(' ') ? 'amid documents' : 'between rounds';
}

/** Opens, is sound, holds what was committed, and once finished answers like an index that was never disturbed. */
async function checkKilled(
  folder: string,
  indexPath: string,
  committed: ReadonlySet<string>,
  undisturbed: Answers,
  where: string,
): Promise<void> {
  const file = join(indexPath, 'index.sqlite');
  if (!existsSync(file)) {
    if (committed.size > 0) throw new Error(`${where}: the index is not there.`);
    return;
  }
  await using index = await open({ roots: [folder], indexPath });
  const bad = (await index.check()).filter(({ name, state }) => state === 'failure' && name !== 'query');
  if (bad.length > 0) throw new Error(`${where}: ${bad.map(({ detail }) => detail).join(' ')}`);
  const held = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { documents, nextCursor } = await index.list({ limit: 100, ...(cursor && { cursor }) });
    for (const { documentId } of documents) held.add(documentId);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  const lost = [...committed].filter((document) => !held.has(document));
  if (lost.length > 0) throw new Error(`${where}: ${lost.join(', ')} was committed and is lost.`);
  await index.sync({ embed: false });
  const answers = await ask(index);
  if (JSON.stringify(answers) !== JSON.stringify(undisturbed))
    throw new Error(different(where, answers, undisturbed));
}

type Answers = readonly (readonly [string, readonly string[]])[];

async function answersOf(folder: string, indexPath: string, options: { rebuild: boolean }): Promise<Answers> {
  await using index = await open({ roots: [folder], indexPath });
  await index.sync({ embed: false, ...options });
  return ask(index);
}

async function ask(index: Index): Promise<Answers> {
  const modes: readonly SearchMode[] = ['keyword', 'code'];
  const answers: [string, string[]][] = [];
  for (const mode of modes) {
    for (const query of QUERIES) {
      const { hits } = await index.search(query, { mode, topN: 20, minConfidence: 0 });
      answers.push([
        query,
        hits.map(({ path, score, text }) => `${path} ${score.toFixed(6)} ${text.length}`),
      ]);
    }
  }
  return answers;
}

/** Cuts or spoils the write-ahead log or a segment, as a power cut or a bad disk may. */
function damage(file: string, random: () => number): string {
  const wal = `${file}-wal`;
  if (existsSync(wal) && random() < 0.6) {
    const bytes = readFileSync(wal);
    const at = Math.floor(random() * bytes.length);
    if (random() < 0.5) {
      truncateSync(wal, at);
      return 'log cut';
    }
    writeFileSync(wal, spoil(bytes, at, random));
    return 'log spoilt';
  }
  const database = new DatabaseSync(file);
  try {
    const rows = database.prepare('SELECT id, bytes FROM segments').all();
    const row = rows[Math.floor(random() * rows.length)];
    if (!row) return 'nothing to damage';
    const bytes = row.bytes as Uint8Array;
    const at = Math.floor(random() * bytes.length);
    const cut = random() < 0.5;
    const spoilt = cut ? bytes.subarray(0, at) : spoil(bytes, at, random);
    database.prepare('UPDATE segments SET bytes = ? WHERE id = ?').run(spoilt, row.id!);
    return cut ? 'segment cut' : 'segment spoilt';
  } catch {
    return 'nothing to damage'; // killed before the tables were made
  } finally {
    database.close();
  }
}

function spoil(bytes: Uint8Array, at: number, random: () => number): Uint8Array {
  const spoilt = Uint8Array.from(bytes);
  const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 3 * 10_000));
  for (let place = at; place < end; place++)
    spoilt[place] = (spoilt[place]! + 1 + Math.floor(random() * 255)) & 255;
  return spoilt;
}

async function outcomeOf(
  folder: string,
  indexPath: string,
  undisturbed: Answers,
  where: string,
): Promise<string> {
  try {
    const answers = await answersOf(folder, indexPath, { rebuild: false });
    if (JSON.stringify(answers) === JSON.stringify(undisturbed)) return 'recovered';
    throw new Error(different(where, answers, undisturbed));
  } catch (error) {
    if (!(error instanceof DocfuseError) || !error.remedy.includes('index --rebuild')) throw error;
    const answers = await answersOf(folder, indexPath, { rebuild: true });
    if (JSON.stringify(answers) !== JSON.stringify(undisturbed))
      throw new Error(different(where, answers, undisturbed));
    return 'rebuilt as told';
  }
}

function different(where: string, found: Answers, wanted: Answers): string {
  const place = wanted.findIndex(
    (answer, number) => JSON.stringify(answer) !== JSON.stringify(found[number]),
  );
  return `${where}: “${wanted[place]?.[0]}” gives\n${found[place]?.[1].join('\n')}\nand not\n${wanted[place]?.[1].join('\n')}`;
}
