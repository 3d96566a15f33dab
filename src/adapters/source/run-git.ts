/** Runs git with fixed arguments, so that nothing a repository brings along is run with it. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { DocfuseError } from '../../core/errors.ts';
import { throwIfAborted } from './abort.ts';

export interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  /** For its standard input. */
  readonly input?: string;
  /** The answer where git ends with 1, which means "there is none". */
  readonly orElse?: string;
}

/** No pager, hooks, file watcher, signature check, diff of merges, replaced commits or downloads. */
const FIXED = [
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'log.showSignature=false',
    'log.diffMerges=off',
  ].flatMap((setting) => ['-c', setting]),
];

/**
 * What git prints, as UTF-8.
 * @throws DocfuseError `not_found` without git, outside a repository, and where git refuses; `aborted`
 */
export async function runGit(
  root: string,
  args: readonly string[],
  { signal, input = '', orElse }: GitOptions = {},
): Promise<string> {
  throwIfAborted(signal);
  const child = spawn('git', ['-C', root, ...FIXED, ...args], {
    env: environment(),
    signal,
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // Git may end before it has read all of it; its exit code tells why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const [status, output, problem] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (status === 0) return output;
    if (status === 1 && orElse !== undefined) return orElse;
    throw refusal(root, problem);
  } catch (error) {
    throwIfAborted(signal);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DocfuseError(
      'not_found',
      `The history of ${root} cannot be read, because there is no command git.`,
      'Install git, or remove the collection of kind "git" from docfuse.toml.',
      { cause: error },
    );
  }
}

/** Without variables that would turn git to another repository, index or configuration, or make it run something. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_|^(?:SSH_ASKPASS|PAGER)$/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
}

function refusal(root: string, problem: string): DocfuseError {
  const said =
    problem
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '') ?? '';
  return /not a git repository/.test(said)
    ? new DocfuseError(
        'not_found',
        `${root} is not in a git repository.`,
        'Correct the path of the collection of kind "git", or leave its kind out to read files.',
      )
    : new DocfuseError(
        'not_found',
        `Git cannot read the history of ${root} (${said || 'it gave no reason'}).`,
        'Try git log there, and mend what it complains about.',
      );
}
