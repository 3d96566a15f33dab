/** The models that were pulled from the hub to this machine. Each model has a folder with its name on the hub. */
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { chooseFiles } from './choose-files.ts';
import { downloadFile } from './download-file.ts';
import { createHub, type HubOptions } from './hub.ts';

const manifestSchema = z.object({
  /** Name on the hub: `org/name`. */
  name: z.string(),
  /** Total size of the files. */
  bytes: z.number(),
  /** Time of the pull, ISO 8601 UTC. */
  pulled: z.string(),
  /** Address of the hub or mirror from which the files come. */
  hub: z.string(),
  /** The files, each a `ChosenFile`. */
  files: z.array(z.object({ path: z.string(), size: z.number(), checksum: z.string(), target: z.string() })),
});

export interface StoredModel extends Readonly<z.output<typeof manifestSchema>> {
  readonly folder: string;
}

export interface ModelStoreOptions {
  /** Folder of all models. Each model is in `<folder>/<org>/<name>`. */
  readonly folder: string;
  readonly hub: HubOptions;
  /** Whether network access is forbidden. */
  readonly offline: boolean;
}

export interface PullOptions {
  /** Path of an ONNX file of the repository. @default full precision, else quantised */
  readonly file?: string | undefined;
  /** Whether network access is forbidden for this call. @default false */
  readonly offline?: boolean;
  /** Time of the pull, in milliseconds since 1970. */
  readonly now: number;
  readonly onBytes?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

const MANIFEST = 'docfuse-model.json';

/** Folder of unfinished pulls. The dot keeps it apart from the folders of organisations, whose names never begin with a dot. */
const STAGING = '.partial';

export function createModelStore({ folder, hub: address, offline }: ModelStoreOptions) {
  const folderOf = (name: string) => join(folder, name);
  const stagingOf = (name: string) => join(folder, STAGING, name.replace('/', '--'));

  async function read(name: string): Promise<StoredModel | undefined> {
    try {
      const text = await readFile(join(folderOf(name), MANIFEST), 'utf8');
      return { ...manifestSchema.parse(JSON.parse(text)), folder: folderOf(name) };
    } catch {
      return undefined;
    }
  }

  /** Returns the models in order of their names. */
  async function list(): Promise<readonly StoredModel[]> {
    // The pattern does not match names that begin with a dot, such as `STAGING`.
    const manifests = await Array.fromAsync(glob(`*/*/${MANIFEST}`, { cwd: folder }));
    const names = manifests.map((path) => dirname(path).split(sep).join('/')).toSorted();
    const models = await Promise.all(names.map(read));
    return models.filter((model) => model !== undefined);
  }

  /** @throws DocfuseError `model_missing` */
  async function find(name: string): Promise<StoredModel> {
    requireHubName(name);
    const found = await read(name);
    if (found) return found;
    throw new DocfuseError(
      'model_missing',
      `There is no model ${name} on this machine.`,
      `Run docfuse models pull ${name} to download it. docfuse models list shows the models on this machine.`,
    );
  }

  async function fetchModel(name: string, options: PullOptions): Promise<boolean> {
    const { file, now, onBytes, signal } = options;
    const hub = createHub(address);
    const files = chooseFiles(name, await hub.list(name, signal), file);
    const before = await read(name);
    if (JSON.stringify(before?.files) === JSON.stringify(files)) return false;
    const staging = stagingOf(name);
    using _lock = await takePullLock(staging, name);
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    onBytes?.(0, total);
    for (const chosen of files) {
      const target = join(staging, chosen.target);
      const report = (bytes: number) => onBytes?.(done + bytes, total);
      await downloadFile({ hub, model: name, file: chosen, target, onBytes: report, signal });
      done += chosen.size;
    }
    const manifest = { name, bytes: total, pulled: new Date(now).toISOString(), hub: hub.url, files };
    await writeFile(join(staging, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await replaceFolder(staging, folderOf(name), new Set([MANIFEST, ...files.map(({ target }) => target)]));
    return true;
  }

  return {
    folder,
    list,
    find,
    /**
     * Downloads a model that is missing or differs from the hub. `changed` is false if nothing was downloaded.
     * @throws DocfuseError `not_found`, `remote`, `storage`, `aborted`; `index_busy` if another process pulls the model
     */
    async pull(name: string, options: PullOptions) {
      requireHubName(name);
      if (offline || options.offline) {
        const model = await read(name);
        if (model) return { model, changed: false };
        throw new DocfuseError(
          'model_missing',
          `There is no model ${name} on this machine, and docfuse is offline.`,
          `Run docfuse models pull ${name} without --offline and DOCFUSE_OFFLINE.`,
        );
      }
      const changed = await fetchModel(name, options).catch((error: unknown) => {
        throw asStorageError(error, folder);
      });
      return { model: await find(name), changed };
    },
    /** Removes a model, and the files of an interrupted pull. @throws DocfuseError `model_missing` */
    async remove(name: string) {
      requireHubName(name);
      await rm(stagingOf(name), { recursive: true, force: true });
      const model = await find(name);
      await rm(model.folder, { recursive: true, force: true });
      return model;
    },
  };
}

/** Checks a name, because it becomes the path of a folder. @throws DocfuseError `usage` */
function requireHubName(name: string): void {
  if (/^[A-Za-z0-9_][\w.-]*\/[A-Za-z0-9_][\w.-]*$/.test(name)) return;
  throw new DocfuseError(
    'usage',
    `${name} is not the name of a model on the hub.`,
    'Write it as org/name, such as cross-encoder/ms-marco-MiniLM-L-6-v2.',
  );
}

/**
 * Replaces the folder `place` by the folder `complete`. A process that reads the old folder can read its open files to the end.
 */
async function replaceFolder(complete: string, place: string, keep: ReadonlySet<string>): Promise<void> {
  // A pull of another version may have left files that do not belong to this version.
  for (const entry of await readdir(complete, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const inside = path.slice(complete.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && !keep.has(inside)) await rm(path);
  }
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const old = `${complete}.old`;
  await rm(old, { recursive: true, force: true });
  await rename(place, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(complete, place);
  await rm(old, { recursive: true, force: true });
}

function asStorageError(error: unknown, folder: string): unknown {
  const code = error instanceof DocfuseError ? undefined : (error as NodeJS.ErrnoException).code;
  if (code === undefined || !/^E[A-Z]+$|^ERR_SQLITE/.test(code)) return error;
  return new DocfuseError(
    'storage',
    `The model cannot be written to ${folder}: ${(error as Error).message}`,
    'Free disk space or correct the permissions, then try again; the received bytes are kept.',
    { cause: error },
  );
}

/**
 * Locks a pull into `staging`: two processes that pull the same model would write the same files. The operating system
 * releases the lock when the process ends, even if it is killed.
 * @throws DocfuseError `index_busy` if another process has the lock
 */
async function takePullLock(staging: string, model: string): Promise<DatabaseSync> {
  await mkdir(dirname(staging), { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(`${staging}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw cause;
    const message = `Another process is pulling ${model}.`;
    throw new DocfuseError('index_busy', message, 'Wait until it has finished.', { cause });
  }
}

/** Result code of SQLite for a file that another process has locked. */
const SQLITE_BUSY = 5;
