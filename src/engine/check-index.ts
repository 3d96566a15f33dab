/** Checks an index, its folders, its files and its model, one after another. */
import { DocfuseError } from '../core/errors.ts';
import type { SkipReason } from '../core/model/formats.ts';
import type { IndexPlace, SegmentKind } from '../core/storage.ts';
import { count, plural } from '../core/text/format-numbers.ts';
import type { Check, Index } from './api.ts';
import { requireRoot, troubleWithRoot } from './check-roots.ts';
import { modelAdvice } from './model-advice.ts';
import { readOrSkip } from './workspace/saved-segments.ts';
import { isEmbeddingUnavailable } from './workspace/semantic-index.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface Examined {
  /** Opens the index; a missing index is empty. */
  open(): Workspace;
  readonly place: IndexPlace;
  readonly roots: readonly string[];
  readonly search: Index['search'];
}

type Finding = Omit<Check, 'name'>;

const OLDEST_NODE = [22, 18] as const;
const SEGMENT_KINDS: readonly SegmentKind[] = ['chunks', 'documents', 'code'];
const FILES_NAMED = 3;
const REBUILD = 'Rebuild the index: docfuse index --rebuild.';

const CHECKS: readonly (readonly [string, (examined: Examined) => Finding | Promise<Finding>])[] = [
  ['node', checkNode],
  ['folders', checkFolders],
  ['permissions', checkPermissions],
  ['database', checkDatabase],
  ['files', checkFiles],
  ['lock', checkLock],
  ['segments', checkSegments],
  ['leftovers', checkLeftovers],
  ['model', checkModel],
  ['languages', checkLanguages],
  ['vectors', checkVectors],
  ['query', checkQuery],
];

/** Runs all checks, even if one fails. A check that fails for the same reason as an earlier one is left out. */
export async function checkIndex(examined: Examined, signal: AbortSignal): Promise<readonly Check[]> {
  const made: Check[] = [];
  for (const [name, check] of CHECKS) {
    const finding = await (async () => check(examined))().catch(failureOf);
    signal.throwIfAborted();
    // An error of opening the index is reported once, not for every check that opens it.
    const isSaid = made.some(({ state, detail }) => state === 'failure' && detail === finding.detail);
    if (!isSaid) made.push({ name, ...finding });
  }
  const isWritten = made.some(({ name, state }) => name === 'lock' && state === 'warning');
  return isWritten ? made.map(withoutIndexing) : made;
}

/** Removes the remedy `docfuse index` from a warning: another process is writing, and the check `lock` says to wait for it. */
function withoutIndexing({ remedy, ...check }: Check): Check {
  const isIdle = check.state === 'warning' && remedy?.endsWith(': docfuse index.');
  return { ...check, ...(remedy !== undefined && !isIdle && { remedy }) };
}

function ok(detail: string): Finding {
  return { state: 'ok', detail };
}

function warning(detail: string, remedy: string): Finding {
  return { state: 'warning', detail, remedy };
}

function failure(detail: string, remedy: string): Finding {
  return { state: 'failure', detail, remedy };
}

function failureOf(error: unknown): Finding {
  if (error instanceof DocfuseError) return failure(error.message, error.remedy);
  return { state: 'failure', detail: error instanceof Error ? error.message : String(error) };
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [minMajor, minMinor] = OLDEST_NODE;
  const detail = `Node ${process.versions.node} on ${process.platform} ${process.arch}.`;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return ok(detail);
  return failure(detail, `Use Node ${OLDEST_NODE.join('.')} or newer.`);
}

function checkFolders({ roots }: Examined): Finding {
  const gone = roots.filter((root) => troubleWithRoot(root) === 'missing');
  if (gone.length > 0)
    return failure(
      `There is no file or folder ${gone.join(', ')}.`,
      'Correct the path in the call, or under [[collections]] in docfuse.toml.',
    );
  // Unreadable roots are reported by `checkPermissions`.
  for (const root of roots) if (troubleWithRoot(root) !== 'denied') requireRoot(root);
  return ok(`Reads ${roots.join(', ')}.`);
}

function checkPermissions({ roots, place }: Examined): Finding {
  const denied = roots.filter((root) => troubleWithRoot(root) === 'denied');
  if (denied.length > 0)
    return failure(`You have no permission to read ${denied.join(', ')}.`, 'Give yourself read permission.');
  const { unreadable, unwritable, shared } = place.rights();
  if (unreadable !== undefined)
    return failure(
      `You have no permission to read the index ${unreadable}.`,
      'Give yourself read permission, or choose another folder with --index.',
    );
  if (unwritable !== undefined)
    return warning(
      `The index ${unwritable} is read-only: it can be searched, but not brought up to date.`,
      'Give yourself write permission, or choose another folder with --index.',
    );
  if (shared.length > 0)
    return warning(
      `Other users of this machine have access to ${shared.join(', ')}, and so perhaps to your documents.`,
      'Run docfuse index to correct the permissions of files. For a folder, run chmod 700, or choose another folder with --index.',
    );
  const isMissing = roots.some((root) => troubleWithRoot(root) === 'missing');
  return ok(isMissing ? 'The index can be written.' : 'The folders can be read and the index written.');
}

function checkDatabase({ open, place }: Examined): Finding {
  const { name } = place;
  if (place.edition() === undefined)
    return warning(`There is no index at ${name}.`, 'Create it: docfuse index.');
  const { store, facts } = open();
  const [problem] = store.problems();
  if (problem !== undefined) return failure(`${name}: ${problem}.`, REBUILD);
  const { documents, chunks, updated } = facts();
  if (documents === 0 && updated === undefined)
    return warning(`The index ${name} is still empty.`, 'Fill it: docfuse index.');
  return ok(`${name} is undamaged (documents: ${count(documents)}, passages: ${count(chunks)}).`);
}

const FAULTS: ReadonlySet<SkipReason> = new Set(['unreadable', 'not_converted']);

/** Checks whether the last run could read every file. Files left out for another reason, such as their size, are no fault. */
function checkFiles({ open }: Examined): Finding {
  const skipped = open().store.getState('skipped') ?? [];
  const unreadable = skipped.filter(({ reason }) => FAULTS.has(reason)).map(({ path }) => path);
  if (unreadable.length === 0) return ok('No file failed to be read or converted.');
  const more = unreadable.length - FILES_NAMED;
  return warning(
    `${plural(unreadable.length, 'file')} cannot be read or converted: ${unreadable.slice(0, FILES_NAMED).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`,
    'Correct the permissions, or the files; docfuse index reads them again, or says why it cannot.',
  );
}

function checkSegments({ open }: Examined): Finding {
  const { segments } = open().store;
  let read = 0;
  let damaged = 0;
  for (const kind of SEGMENT_KINDS) {
    for (const saved of segments?.read(kind) ?? []) {
      read += 1;
      if (!readOrSkip(segments!, kind, saved, true)) damaged += 1;
    }
  }
  if (damaged === 0) return ok(`Readable segments of the word indexes: ${count(read)}.`);
  return warning(
    `${count(damaged)} of ${count(read)} segments of the word indexes cannot be read. Every start makes their words again from the texts, which takes time.`,
    'Write the segments again: docfuse index --purge.',
  );
}

/** Checks whether a process is writing: a writer holds the lock, which the system releases when the process ends. */
async function checkLock({ place }: Examined): Promise<Finding> {
  if (place.edition() !== undefined) {
    if (!place.rights().lockable) return ok('The index is read-only here, so nothing is locked.');
    try {
      (await place.lock({ waitMs: 0 })).release();
    } catch (error) {
      const isBusy = error instanceof DocfuseError && error.code === 'index_busy';
      return { ...failureOf(error), ...(isBusy && { state: 'warning' }) };
    }
  }
  return ok('No process is writing.');
}

/** Finds work left by a stopped run, and damage that is repaired in memory only. */
function checkLeftovers({ open, place }: Examined): Finding {
  const index = open();
  const unfinished = place.unfinished();
  const left: string[] = [];
  if (index.fingerprintChanged() || index.staleDocuments().length > 0)
    left.push('Some documents were read or split by other rules than the current ones.');
  const repaired = index.repaired();
  if (repaired > 0) left.push(`Documents whose words are not saved: ${count(repaired)}.`);
  if (index.catalog().documents > 0 && !index.links().isSettled())
    left.push('Links and communities are out of date.');
  if (unfinished !== undefined) left.push(`A rebuild is running, or was stopped and left ${unfinished}.`);
  if (left.length === 0) return ok('No run has left unfinished work.');
  // `docfuse index` does not load the words of unchanged documents, so it may not repair damaged words; `--purge` does.
  const further = repaired > 0 ? ' If the warning remains: docfuse index --purge.' : '';
  return warning(left.join(' '), `Finish it: docfuse index.${further}`);
}

async function checkModel({ open }: Examined): Promise<Finding> {
  try {
    const details: string[] = [];
    for (const { model } of open().models.toEmbed()) {
      const embedder = await model.embedder();
      const began = performance.now();
      const vector = await embedder.embedQuery('Which model answers?');
      const milliseconds = Math.round(performance.now() - began);
      const length = Math.hypot(...vector);
      if (vector.length !== embedder.dimensions || !(Math.abs(length - 1) < 0.01))
        return failure(
          `${embedder.model} gives vectors of ${vector.length} numbers and norm ${length}, not ${embedder.dimensions} numbers and norm 1.`,
          'Its files may be damaged: reinstall docfuse, or correct the model in the settings.',
        );
      details.push(`${embedder.model} embeds a query in ${count(milliseconds)} ms.`);
    }
    return ok(details.join(' '));
  } catch (error) {
    if (!isEmbeddingUnavailable(error)) throw error;
    return warning(error.message, error.remedy);
  }
}

function checkVectors({ open }: Examined): Finding {
  const { chunks, embedded, models, stale } = open().facts();
  const each = models ?? [{ embedded, of: chunks }];
  const detail = each
    .map((model) => {
      const whose = 'model' in model ? ` of ${model.model}` : '';
      return `${count(model.embedded)} of ${count(model.of)} passages have a vector${whose}.`;
    })
    .join(' ');
  return stale ? warning(detail, 'Make the missing vectors: docfuse index.') : ok(detail);
}

async function checkLanguages({ open }: Examined): Promise<Finding> {
  const index = open();
  const advice = await modelAdvice(index);
  if (advice) return warning(advice.message, advice.remedy);
  if (index.multilingual && !(await index.openDetector()))
    return warning(
      'The package eld is not installed, so only the script and the words of the documents tell whether a question is in English.',
      'Install it: npm install eld.',
    );
  if (!index.advisesModel && !index.multilingual)
    return ok('The settings name the model; it was not compared with the languages of the documents.');
  return ok('The models suit the languages of the documents.');
}

async function checkQuery({ open, search }: Examined): Promise<Finding> {
  const [document] = open().catalog().all();
  if (!document) return ok('The index has no documents yet.');
  const { hits, timingsMs, notice } = await search(document.title, { minConfidence: 0 });
  if (hits.length > 0) return ok(`A search is answered in ${count(Math.round(timingsMs.total ?? 0))} ms.`);
  return failure(
    `A search for “${document.title}”, the title of ${document.id}, finds nothing.`,
    notice ?? REBUILD,
  );
}
