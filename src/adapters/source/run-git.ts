/** Runs git and ends it where it waits or prints without end. */
import { spawn } from 'node:child_process';
import { DocfuseError } from '../../core/errors.ts';
import type { Repository } from './find-repository.ts';
import { environment, FIXED_ARGUMENTS, fixedPlaces } from './git-settings.ts';

export interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  /** For its standard input. */
  readonly input?: string;
  /** Git ends with 1 where there is nothing to answer. */
  readonly orElse?: string;
  /** Git is ended after so long without output. @default one minute, ten seconds `asUser` */
  readonly silenceMs?: number | undefined;
  /** Whether git finds the repository and its owner by the user's own settings. @default false */
  readonly asUser?: boolean;
}

const SILENCE_MS = 60_000;
/** To find the owner, git reads settings and no commits. */
const OWNER_SILENCE_MS = 10_000;
/** More than a thousand commits of a thousand files each; in bytes. */
const MAX_OUTPUT = 256 * 1024 * 1024;
const MAX_PROBLEM = 64 * 1024;

/**
 * What git prints, as UTF-8.
 * @throws DocfuseError `not_found` without git, where git refuses, prints nothing for long, or without end; or what `signal` was aborted with
 */
export async function runGit(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const { signal, input = '', orElse, asUser = false } = options;
  const { silenceMs = asUser ? OWNER_SILENCE_MS : SILENCE_MS } = options;
  signal?.throwIfAborted();
  const { top } = repository;
  const child = spawn('git', ['-C', top, ...FIXED_ARGUMENTS, ...args], {
    env: { ...environment(repository), ...(asUser ? {} : fixedPlaces(repository)) },
    windowsHide: true,
  });
  let failure: DocfuseError | undefined;
  const stop = (reason?: DocfuseError) => {
    failure ??= reason;
    child.kill('SIGKILL');
    // Git may have started something that still holds them.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  };
  const onAbort = () => stop();
  signal?.addEventListener('abort', onAbort);
  const silence = setTimeout(() => stop(silent(top, silenceMs)), silenceMs);
  const [output, problem]: [Buffer[], Buffer[]] = [[], []];
  let [printed, complained] = [0, 0];
  child.stdout.on('data', (data: Buffer) => {
    silence.refresh();
    printed += data.length;
    if (printed <= MAX_OUTPUT) output.push(data);
    else stop(endless(top));
  });
  child.stderr.on('data', (data: Buffer) => {
    silence.refresh();
    complained += data.length;
    if (complained <= MAX_PROBLEM) problem.push(data);
  });
  // Git may end before it has read all of it; its exit code tells why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal?.throwIfAborted();
    if (failure) throw failure;
    if (status === 0) return Buffer.concat(output).toString();
    if (status === 1 && orElse !== undefined) return orElse;
    throw refusal(top, Buffer.concat(problem).toString());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DocfuseError(
      'not_found',
      `The history of ${top} cannot be read, because there is no command git.`,
      'Install git, or remove the collection of kind "git" from docfuse.toml.',
      { cause: error },
    );
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', onAbort);
  }
}

function silent(top: string, silenceMs: number): DocfuseError {
  return new DocfuseError(
    'not_found',
    `Git printed nothing about the history of ${top} for ${silenceMs / 1000} seconds and was ended.`,
    'Try git log there. If it waits, too, look at what .git/config includes, and who made it.',
  );
}

function endless(top: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `Git printed more than ${MAX_OUTPUT / 2 ** 20} MiB about a few commits of ${top} and was ended.`,
    'Remove the collection of kind "git", or give it the path of a folder whose commits are smaller.',
  );
}

function refusal(top: string, problem: string): DocfuseError {
  const said =
    problem
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '') ?? '';
  return /dubious ownership|unsafe repository/.test(said)
    ? new DocfuseError(
        'not_found',
        `The repository of ${top} belongs to another user, so its history is not read.`,
        `If you trust it, add ${JSON.stringify(top)} to trust in your own docfuse.toml, or run git config --global --add safe.directory ${top}`,
      )
    : new DocfuseError(
        'not_found',
        `Git cannot read the history of ${top} (${said || 'it gave no reason'}).`,
        'Try git log there, and mend what it complains about.',
      );
}
