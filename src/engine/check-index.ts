/** Examines an index and what it stands on, one thing after another. */
import { DocfuseError } from '../core/errors.ts';
import { decodeSegment } from '../core/indexes/segment-codec.ts';
import type { IndexPlace, SegmentKind } from '../core/storage.ts';
import type { Check, Index } from './api.ts';
import { requireRoot, troubleWithRoot } from './require-root.ts';
import { isEmbeddingUnavailable } from './workspace/semantic-index.ts';
import type { Workspace } from './workspace/workspace.ts';

/** What is examined. */
export interface Examined {
  /** Opens the index, if it is there. */
  open(): Workspace;
  readonly place: IndexPlace;
  readonly roots: readonly string[];
  readonly search: Index['search'];
}

type Finding = Omit<Check, 'name'>;

const OLDEST_NODE = [22, 18] as const;
const SEGMENT_KINDS: readonly SegmentKind[] = ['chunks', 'documents', 'code'];
const REBUILD = 'Rebuild it: docfuse index --rebuild.';

/** A failed check does not stop the others; a check that fails for the same reason as another is left out. */
export async function checkIndex(examined: Examined, signal: AbortSignal): Promise<readonly Check[]> {
  const checks: readonly (readonly [string, (examined: Examined) => Finding | Promise<Finding>])[] = [
    ['node', checkNode],
    ['folders', checkFolders],
    ['permissions', checkPermissions],
    ['database', checkDatabase],
    ['lock', checkLock],
    ['segments', checkSegments],
    ['leftovers', checkLeftovers],
    ['model', checkModel],
    ['vectors', checkVectors],
    ['query', checkQuery],
  ];
  const made: Check[] = [];
  for (const [name, check] of checks) {
    const finding = await attempt(() => check(examined));
    signal.throwIfAborted();
    // Report an error of opening the index once, not for every check that needs it open.
    const isSaid = made.some(({ state, detail }) => state === 'failure' && detail === finding.detail);
    if (!isSaid) made.push({ name, ...finding });
  }
  const isWritten = made.some(({ name, state }) => name === 'lock' && state === 'warning');
  return isWritten ? made.map(withoutIndexing) : made;
}

/** Another process writes the index just now, so there is nothing to run: the lock's advice is to wait. */
function withoutIndexing({ remedy, ...check }: Check): Check {
  const isIdle = check.state === 'warning' && remedy?.endsWith(': docfuse index.');
  return { ...check, ...(remedy !== undefined && !isIdle && { remedy }) };
}

async function attempt(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return failure(error);
  }
}

/** An error as a finding. */
function failure(error: unknown): Finding {
  const detail = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Error && 'remedy' in error ? String(error.remedy) : undefined;
  return { state: 'failure', detail, ...(remedy === undefined ? {} : { remedy }) };
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [minMajor, minMinor] = OLDEST_NODE;
  const detail = `Node ${process.versions.node} on ${process.platform} ${process.arch}.`;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return { state: 'ok', detail };
  return { state: 'failure', detail, remedy: `Use Node ${OLDEST_NODE.join('.')} or newer.` };
}

function checkFolders({ roots }: Examined): Finding {
  const gone = roots.filter((root) => troubleWithRoot(root) === 'missing');
  if (gone.length > 0) {
    const remedy = 'Correct the paths given, or those of [[collections]] in docfuse.toml.';
    return { state: 'failure', detail: `There is no ${gone.join(', ')}.`, remedy };
  }
  // The check of permissions reports those that may not be read.
  for (const root of roots) if (troubleWithRoot(root) !== 'denied') requireRoot(root);
  return { state: 'ok', detail: `Reads ${roots.join(', ')}.` };
}

function checkPermissions({ roots, place }: Examined): Finding {
  const denied = roots.filter((root) => troubleWithRoot(root) === 'denied');
  if (denied.length > 0) {
    const remedy = 'Give yourself the right to read it.';
    return { state: 'failure', detail: `${denied.join(', ')} cannot be read.`, remedy };
  }
  const { unreadable, unwritable, shared } = place.rights();
  if (unreadable !== undefined) {
    const remedy = 'Give yourself the right to read it, or choose another folder with --index.';
    return { state: 'failure', detail: `The index ${unreadable} cannot be read.`, remedy };
  }
  if (unwritable !== undefined) {
    const remedy = 'Give yourself the right to write it, or choose another folder with --index.';
    const detail = `The index ${unwritable} is read-only: it can be searched, but not brought up to date.`;
    return { state: 'warning', detail, remedy };
  }
  if (shared.length > 0) {
    const detail = `Others on this machine have rights to ${shared.join(', ')}, and so perhaps to your documents.`;
    const remedy =
      'Files: docfuse index mends them. A folder: chmod 700, or choose one of its own with --index.';
    return { state: 'warning', detail, remedy };
  }
  return { state: 'ok', detail: 'Documents can be read and the index written.' };
}

function checkDatabase({ open, place }: Examined): Finding {
  const { name } = place;
  if (place.edition() === undefined) {
    return { state: 'warning', detail: `There is no index at ${name}.`, remedy: 'Make it: docfuse index.' };
  }
  const { store, facts } = open();
  const { documents, chunks, updated } = facts();
  if (documents === 0 && updated === undefined) {
    return {
      state: 'warning',
      detail: `The index ${name} holds nothing yet.`,
      remedy: 'Make it: docfuse index.',
    };
  }
  const problems = store.problems();
  if (problems.length > 0) return { state: 'failure', detail: `${name}: ${problems[0]}.`, remedy: REBUILD };
  return {
    state: 'ok',
    detail: `${name} is whole: ${written(documents)} documents, ${written(chunks)} passages.`,
  };
}

function checkSegments({ open }: Examined): Finding {
  const { store } = open();
  let count = 0;
  let damaged = 0;
  for (const kind of SEGMENT_KINDS) {
    for (const { bytes } of store.segments?.read(kind) ?? []) {
      count += 1;
      try {
        decodeSegment(bytes);
      } catch {
        damaged += 1;
      }
    }
  }
  if (damaged === 0) return { state: 'ok', detail: `All ${written(count)} segments of words can be read.` };
  return {
    state: 'warning',
    detail: `${written(damaged)} of ${written(count)} segments of words are damaged. Every start makes them again from the text.`,
    remedy: 'Save them: docfuse index.',
  };
}

/** The lock is the operating system's, so one that is held has a living owner. */
async function checkLock({ place }: Examined): Promise<Finding> {
  if (place.edition() === undefined) return { state: 'ok', detail: 'Nobody is writing.' };
  if (!place.rights().lockable)
    return { state: 'ok', detail: 'The index is read-only here, so nothing is locked.' };
  try {
    (await place.lock({ waitMs: 0 })).release();
    return { state: 'ok', detail: 'Nobody is writing.' };
  } catch (error) {
    const busy = error instanceof DocfuseError && error.code === 'index_busy';
    return { ...failure(error), ...(busy && { state: 'warning' }) };
  }
}

/** Work left by a stopped run, or by damage repaired in memory only. */
function checkLeftovers({ open, place }: Examined): Finding {
  const index = open();
  const unfinished = place.unfinished();
  const left: string[] = [];
  if (index.fingerprintChanged() || index.staleDocuments().length > 0)
    left.push('Some documents were read or cut by other rules than those of now.');
  if (index.repaired() > 0) left.push(`The words of ${written(index.repaired())} documents are not saved.`);
  if (index.catalog().documents > 0 && !index.links().isSettled(index.hash))
    left.push('Links and communities are not those of the documents.');
  if (unfinished !== undefined) left.push(`A rebuild is under way, or was stopped and left ${unfinished}.`);
  if (left.length === 0) return { state: 'ok', detail: 'No run has left anything undone.' };
  return { state: 'warning', detail: left.join(' '), remedy: 'Finish it: docfuse index.' };
}

async function checkModel({ open }: Examined): Promise<Finding> {
  try {
    const embedder = await open().embedder();
    const began = performance.now();
    const vector = await embedder.embedQuery('Which model answers?');
    const milliseconds = Math.round(performance.now() - began);
    const length = Math.hypot(...vector);
    if (vector.length === embedder.dimensions && Math.abs(length - 1) < 0.01) {
      return { state: 'ok', detail: `${embedder.model} embeds a query in ${written(milliseconds)} ms.` };
    }
    const remedy = 'Its files may be damaged: reinstall docfuse, or correct embedding.model.';
    return { state: 'failure', detail: `${embedder.model} gives vectors of length ${length}.`, remedy };
  } catch (error) {
    if (!isEmbeddingUnavailable(error)) throw error;
    return { ...failure(error), state: 'warning' };
  }
}

function checkVectors({ open }: Examined): Finding {
  const { chunks, embedded } = open().facts();
  const detail = `${written(embedded)} of ${written(chunks)} passages have a vector.`;
  if (embedded === chunks) return { state: 'ok', detail };
  return { state: 'warning', detail, remedy: 'Make the others: docfuse index.' };
}

/** Searches for the title of a document, in every mode. */
async function checkQuery({ open, search }: Examined): Promise<Finding> {
  const [document] = open().catalog().all();
  if (!document) return { state: 'ok', detail: 'There is nothing to find yet.' };
  const { hits, timingsMs, notice } = await search(document.title, { minConfidence: 0 });
  if (hits.length === 0) {
    const detail = `A search for “${document.title}”, the title of ${document.id}, finds nothing.`;
    return { state: 'failure', detail, remedy: notice ?? REBUILD };
  }
  return { state: 'ok', detail: `A search is answered in ${written(Math.round(timingsMs.total ?? 0))} ms.` };
}

/** `12345` → `12,345` */
function written(number: number): string {
  return number.toLocaleString('en');
}
