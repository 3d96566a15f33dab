/**
 * Runs git, and kills it if it prints nothing for too long or prints too much. Git starts no program of a repository and reads only
 * the repository's configuration.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DocfuseError } from '../../core/errors.ts';
import type { Repository } from './find-repository.ts';

export interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly input?: string;
  /** Returned if git exits with code 1, which means that there is no result. */
  readonly orElse?: string;
  /** Milliseconds without output after which git is killed. @default 60,000; 10,000 with `asUser` */
  readonly silenceMs?: number | undefined;
  /** Whether git finds the repository itself and reads the user's own settings. @default false */
  readonly asUser?: boolean;
}

const SILENCE_MS = 60_000;
/** For the command that checks the owner. Shorter, because this command reads only settings and no commits. */
const OWNER_SILENCE_MS = 10_000;
/** Max bytes of output: enough for more than 1,000 commits with 1,000 files each. */
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Runs git and returns its output, decoded as UTF-8.
 * @throws DocfuseError `not_found` if git is missing, refuses, prints nothing for too long or prints too much; after an abort,
 * the reason of `signal`
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
  const silent = new AbortController();
  const running = promisify(execFile)('git', ['-C', top, ...FIXED_ARGUMENTS, ...args], {
    env: { ...environment(repository), ...(asUser ? {} : fixedPlaces(repository)) },
    windowsHide: true,
    maxBuffer: MAX_OUTPUT,
    signal: AbortSignal.any([silent.signal, ...(signal ? [signal] : [])]),
    killSignal: 'SIGKILL',
  });
  const { stdin, stdout, stderr } = running.child;
  const silence = setTimeout(() => silent.abort(), silenceMs);
  for (const stream of [stdout, stderr]) stream?.on('data', () => silence.refresh());
  // Git may exit before it has read all of `input`. Ignore the write error: the exit code says what went wrong.
  stdin?.on('error', () => {});
  stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (cause) {
    signal?.throwIfAborted();
    const { code, stderr: problem = '' } = cause as { code?: unknown; stderr?: string };
    if (code === 1 && orElse !== undefined) return orElse;
    const [message, remedy] = silent.signal.aborted
      ? silentFor(top, silenceMs)
      : (PROBLEMS[String(code)]?.(top) ?? refusal(top, problem));
    throw new DocfuseError('not_found', message, remedy, { cause });
  } finally {
    clearTimeout(silence);
  }
}

type Problem = readonly [message: string, remedy: string];

const PROBLEMS: Readonly<Record<string, (top: string) => Problem>> = {
  ENOENT: (top) => [
    `The history of ${top} cannot be read, because the command git was not found.`,
    'Install git, or remove the collection of kind "git" from docfuse.toml.',
  ],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: (top) => [
    `Git printed more than ${MAX_OUTPUT / 2 ** 20} MiB about a few commits of ${top} and was stopped.`,
    'Remove the collection of kind "git", or give it the path of a folder whose commits are smaller.',
  ],
};

function silentFor(top: string, silenceMs: number): Problem {
  return [
    `Git printed nothing about the history of ${top} for ${silenceMs / 1000} seconds and was stopped.`,
    `Run git log in ${top}. If it waits, too, check which files .git/config includes, and who made them.`,
  ];
}

function refusal(top: string, problem: string): Problem {
  const said = problem
    .trim()
    .split('\n', 1)[0]!
    .replace(/^fatal: /, '');
  return /dubious ownership|unsafe repository/.test(said)
    ? [
        `The repository of ${top} belongs to another user, so its history is not read.`,
        `If you trust it, add ${JSON.stringify(top)} to trust in your own docfuse.toml, or run git config --global --add safe.directory ${top}`,
      ]
    : [
        `Git cannot read the history of ${top} (${said || 'it gave no reason'}).`,
        `Run git log in ${top}, and fix the problem that it reports.`,
      ];
}

/** Values for the settings with which a repository could run a program, read a file outside it, or change git's output. */
const SETTINGS = [
  'core.alternateRefsCommand=',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.multiPackIndex=false', // a multi-pack index may refer to packs outside the repository
  'core.warnAmbiguousRefs=false',
  'diff.external=',
  'diff.orderFile=/dev/null',
  'gpg.program=/dev/null',
  // Git corrects names of authors only by the repository's .mailmap.
  'mailmap.blob=HEAD:.mailmap',
  'mailmap.file=',
  'protocol.allow=never',
  'safe.bareRepository=all', // allowed, because a bare repository is read only if the user names it
];
/** Arguments before each git command. */
const FIXED_ARGUMENTS: readonly string[] = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Returns the environment without variables that name another repository, index or configuration, or a program to run. */
function environment({ common }: Repository): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_|^(?:SSH_ASKPASS|PAGER)$/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    // Without this variable, git reads the file `commondir`, and could use another folder than the one that docfuse has checked.
    GIT_COMMON_DIR: common,
    // A repository's setting can override `protocol.allow`, but not this variable.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Returns variables that set the repository, working tree and configuration, whatever the repository's own settings say. */
function fixedPlaces({ gitFolder, top }: Repository): NodeJS.ProcessEnv {
  return {
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: top,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
