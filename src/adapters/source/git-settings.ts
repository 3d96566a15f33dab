/** Runs git so that it starts no program from a repository, and reads no configuration except the repository's. */
import type { Repository } from './find-repository.ts';

/** In place of settings of a repository that would run a program, read a file outside, or change what is printed. */
const SETTINGS = [
  'core.alternateRefsCommand=',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.multiPackIndex=false', // it names packs by path
  'core.warnAmbiguousRefs=false',
  'diff.external=',
  'diff.orderFile=/dev/null',
  'gpg.program=/dev/null',
  // Names of authors come from .mailmap of the repository, from no other file.
  'mailmap.blob=HEAD:.mailmap',
  'mailmap.file=',
  'protocol.allow=never',
  'safe.bareRepository=all', // one is read only if it is named
];
/** Before each command of git. */
export const FIXED_ARGUMENTS: readonly string[] = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Without variables that would turn git to another repository, index or configuration, or make it run something. */
export function environment({ common }: Repository): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_|^(?:SSH_ASKPASS|PAGER)$/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    // Git and docfuse might read a file `commondir` differently.
    GIT_COMMON_DIR: common,
    // Unlike `protocol.allow`, a repository's setting cannot override it.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** No other repository, work tree or configuration, even if the repository's own configuration names one. */
export function fixedPlaces({ gitFolder, top }: Repository): NodeJS.ProcessEnv {
  return {
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: top,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
