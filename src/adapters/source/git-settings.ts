/** Arguments and environment with which git starts no program of a repository and reads only the repository's configuration. */
import type { Repository } from './find-repository.ts';

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
export const FIXED_ARGUMENTS: readonly string[] = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Returns the environment without variables that name another repository, index or configuration, or a program to run. */
export function environment({ common }: Repository): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_|^(?:SSH_ASKPASS|PAGER)$/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    // Git could read the file `commondir` differently than docfuse.
    GIT_COMMON_DIR: common,
    // A repository's setting can override `protocol.allow`, but not this variable.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Returns variables that set the repository, working tree and configuration, whatever the repository's own settings say. */
export function fixedPlaces({ gitFolder, top }: Repository): NodeJS.ProcessEnv {
  return {
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: top,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
