/** Writes an export beside its folder, and renames it at the end: a folder never holds half an export. */
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { DocfuseError } from '../../core/errors.ts';
import {
  type ExportStart,
  isFormat,
  NEIGHBOURS_FILE,
  START_FILE,
} from '../../core/fragments/export-format.ts';
import type { Steps } from '../../core/steps.ts';
import type { ExportOptions, ExportReport } from '../api.ts';
import type { DocumentMap } from '../documents/documents-api.ts';
import { pathInside, realPath } from '../path-inside.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { inTurns } from '../workspace/writer.ts';
import { type ExportedData, exportFiles } from './export-files.ts';
import { SITE_NAMES, siteFiles } from './site-files.ts';
import { type ExportedModel, writeModel } from './write-model.ts';

export interface ExportPlace {
  /** Relative to `cwd`. */
  readonly folder: string;
  readonly cwd: string;
  readonly indexPath: string;
  /** The model that made the vectors. If given, vectors and model are exported. */
  readonly model?: ExportedModel | undefined;
  readonly makeMap: () => Promise<DocumentMap>;
  readonly onProgress?: ExportOptions['onProgress'];
  readonly signal?: AbortSignal | undefined;
}

/** Number of hexadecimal digits in the name of the data folder. */
const DIGITS = 12;

/** @throws DocfuseError `usage` for a folder that must not be written; `storage`; the reason of the signal */
export async function writeExport(
  workspace: Workspace,
  { folder: asked, cwd, indexPath, makeMap, model, onProgress, signal }: ExportPlace,
): Promise<ExportReport> {
  const folder = resolve(cwd, asked);
  const untouched = [...workspace.collections.map(({ root }) => root), indexPath];
  const language = workspace.analyzers.all.map((each) => each.language).find((each) => each !== 'auto');
  if (language !== undefined) {
    throw new DocfuseError(
      'usage',
      `A collection has the language ${language}, whose words an exported page cannot find.`,
      'Set language = "auto" for this collection, and export again.',
    );
  }
  if (workspace.catalog().documents === 0 && existsSync(join(folder, 'index.html'))) {
    throw new DocfuseError(
      'usage',
      `The index holds no documents, and ${folder} holds an export, which would become empty.`,
      'Name the folder of your documents after the folder to write.',
    );
  }
  const { chunks, embedded } = workspace.store.counts(model?.identity ?? '');
  if (model && embedded < chunks) {
    throw new DocfuseError(
      'usage',
      `${chunks - embedded} of ${chunks} passages have no vector of the model ${model.identity}.`,
      'Run docfuse index to make the vectors, then export again; or export without --vectors.',
    );
  }
  const fresh = `${freshOf(folder)}${process.pid}-${randomUUID()}`;
  try {
    restoreCut(folder);
    removeUnfinished(folder);
    requireOwn(folder, untouched);
    mkdirSync(fresh, { recursive: true });
    const placing = { phase: 'map', total: workspace.catalog().documents } as const;
    onProgress?.({ ...placing, done: 0 });
    await nextTurn(); // lets the caller draw a progress bar
    const map = await makeMap();
    onProgress?.({ ...placing, done: placing.total });
    const mapped = map.documents.ids.length;
    const site = siteFiles(mapped > 0);
    const exported = exportFiles(workspace, map, model?.identity);
    const { dimensions, meaningBytes, ...data } = await inTurns(
      writeData(exported, fresh, onProgress, signal),
    );
    const written = model && (await writeModel(fresh, model, signal));
    const meaning = written && { ...written, dimensions, bytes: written.bytes + meaningBytes };
    const start: ExportStart = { ...data, ...(meaning && { meaning }) };
    for (const [path, bytes] of site) writeInto(fresh, path, bytes);
    writeFileSync(join(fresh, START_FILE), JSON.stringify(start));
    const size = measure(fresh);
    replaceFolder(folder, fresh);
    const { documents, passages } = start;
    return { folder, documents, passages, mapped, ...size, ...(meaning && { meaningBytes: meaning.bytes }) };
  } catch (error) {
    if (signal?.aborted || error instanceof DocfuseError) throw error;
    const { message } = error as Error;
    const remedy = 'Name a folder that you may write.';
    throw new DocfuseError('storage', `Cannot write ${folder}: ${message}.`, remedy, { cause: error });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function* writeData(
  files: ReturnType<typeof exportFiles>,
  fresh: string,
  onProgress: ExportOptions['onProgress'],
  signal: AbortSignal | undefined,
): Steps<ExportedData & Pick<ExportStart, 'data'> & { readonly meaningBytes: number }> {
  const unnamed = join(fresh, 'data');
  const hash = createHash('sha256');
  let meaningBytes = 0;
  let step = files.next();
  for (; !step.done; step = files.next()) {
    const { path, bytes, progress } = step.value;
    const compressed = deflateRawSync(bytes, { level: 9 });
    hash.update(path).update(compressed);
    if (path === NEIGHBOURS_FILE || path.startsWith('vectors/')) meaningBytes += compressed.length;
    writeInto(unnamed, path, compressed);
    if (progress) onProgress?.(progress);
    yield;
    signal?.throwIfAborted();
  }
  const data = `data-${hash.digest('hex').slice(0, DIGITS)}`;
  renameSync(unnamed, join(fresh, data));
  return { ...step.value, data, meaningBytes };
}

function writeInto(folder: string, path: string, bytes: Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** Refuses a folder that holds other files than those of an export, and a folder inside or around the documents or the index. */
function requireOwn(folder: string, untouched: readonly string[]): void {
  const real = realPath(folder);
  for (const other of untouched) {
    if (pathInside(realPath(other), real) === undefined && pathInside(real, realPath(other)) === undefined)
      continue;
    throw new DocfuseError(
      'usage',
      `The export folder ${folder} would be inside ${other}, or would contain it.`,
      'Choose a folder outside of the documents and the index.',
    );
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return;
  const held = stats.isDirectory() ? readdirSync(folder) : ['.'];
  if (held.length === 0) return;
  const own = new Set<string>([...SITE_NAMES, START_FILE]);
  const foreign = isExport(folder)
    ? held.find((name) => !own.has(name) && !/^(data|model)-[0-9a-f]+$/.test(name))
    : held[0];
  if (foreign === undefined) return;
  throw new DocfuseError(
    'usage',
    stats.isDirectory()
      ? `${folder} holds ${foreign}, which does not belong to an export.`
      : `${folder} is a file.`,
    'Name a new or empty folder, or one that only docfuse export has written.',
  );
}

function isExport(folder: string): boolean {
  try {
    const start = JSON.parse(readFileSync(join(folder, START_FILE), 'utf8')) as Partial<ExportStart> | null;
    return isFormat(start?.format);
  } catch {
    return false;
  }
}

/** Returns the path to which an earlier export is moved while a new export takes its place. */
const formerOf = (folder: string) => join(dirname(folder), `.docfuse-former-${basename(folder)}`);

/** If a run was stopped while it replaced an export, puts the earlier export back, or removes it if the new one is in place. */
function restoreCut(folder: string): void {
  const former = formerOf(folder);
  if (!isExport(former)) return;
  if (existsSync(folder)) rmSync(former, { recursive: true });
  else renameSync(former, folder);
}

/** Returns the beginning of the path of an export that is being written. The process id follows. */
const freshOf = (folder: string) => join(dirname(folder), `.docfuse-export-${basename(folder)}-`);

/** Removes unfinished exports to the same folder whose processes have ended. */
function removeUnfinished(folder: string): void {
  const begin = basename(freshOf(folder));
  for (const name of existsSync(dirname(folder)) ? readdirSync(dirname(folder)) : []) {
    const pid = /^(\d+)-[0-9a-f-]{36}$/.exec(name.slice(begin.length))?.[1];
    if (!name.startsWith(begin) || pid === undefined || isRunning(Number(pid))) continue;
    rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function replaceFolder(folder: string, fresh: string): void {
  if (!existsSync(folder)) {
    renameSync(fresh, folder);
    return;
  }
  const former = formerOf(folder);
  renameSync(folder, former);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    renameSync(former, folder);
    throw error;
  }
  rmSync(former, { recursive: true, force: true });
}

function measure(folder: string): { readonly files: number; readonly bytes: number } {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
