#!/usr/bin/env node
// Starts docfuse under a Node that is new enough. Plain JavaScript that Node 18 can read.

/** First version with type stripping and `node:sqlite` without flags. */
const MAJOR = 22;
const MINOR = 18;

/** Variable that marks a process started by this file. Such a process must not start another one. */
const GUARD = 'DOCFUSE_NODE_REPLACED';

/** Milliseconds after which compiled code is removed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The command, as it was typed. */
const COMMAND = commandIn(process.argv.slice(2));

/**
 * Variables for `index` and `mcp`: glibc returns freed blocks of this size and larger to the system at once. By default, glibc
 * raises the size up to 32 MiB when large blocks are freed. It reads the variable only when a process starts.
 */
const ALLOCATION = ['index', 'mcp'].includes(COMMAND) ? { MALLOC_MMAP_THRESHOLD_: '131072' } : {};

if (isNewEnough(process.versions.node)) {
  replaceToSaveMemory();
  await start();
} else await restartUnderNewerNode();

/** The first word that is neither an option nor the value of an option that may stand before a command. */
function commandIn(args) {
  const takeValues = ['--index', '--config', '--set', '--color'];
  return args.find((arg, place) => !arg.startsWith('-') && !takeValues.includes(args[place - 1]));
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > MAJOR || (major === MAJOR && minor >= MINOR);
}

/** Replaces this process by one with `ALLOCATION`, unless it has a channel to its parent: the channel would be lost. */
function replaceToSaveMemory() {
  const { execve, execPath, execArgv, argv, env } = process;
  const isSet = Object.keys(ALLOCATION).every((name) => name in env);
  if (isSet || process.platform !== 'linux' || process.connected || !execve) return;
  const { existsSync } = process.getBuiltinModule('node:fs');
  // If `execve` fails, the process ends. It fails, for example, if a loader started Node or the file of Node was replaced.
  if (!/[/]node[^/]*$/.test(execPath) || !existsSync(execPath)) return;
  execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...ALLOCATION });
}

/** Runs the sources if there are any, as in a clone, otherwise the bundle of the package. */
async function start() {
  delete process.env[GUARD];
  silenceExperimentalWarnings();
  // A search sets these flags itself if no server answers it (src/surfaces/cli/garbage.ts). Help and version need no flags.
  if (COMMAND && COMMAND !== 'search') {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    // Young objects are collected in small steps and do not pile up to 96 MB. This halves the memory while indexing.
    setFlagsFromString('--semi-space-growth-factor=1');
    // Old objects are collected when they have grown by half, not when there are three times as many. This saves an eighth.
    setFlagsFromString('--heap-growing-percent=50');
  }
  const kept = keepCompiledCode();
  // `import 'node:fs'` would load many other modules.
  const { existsSync } = process.getBuiltinModule('node:fs');
  const source = new URL('../src/surfaces/cli/main.ts', import.meta.url);
  if (existsSync(source)) return import(source.href);
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const built = fileURLToPath(new URL('../dist/command/main.cjs', import.meta.url));
  if (!kept) return process.getBuiltinModule('node:module').createRequire(built)(built);
  const { runBundle } = await import('./run-bundle.js');
  return runBundle(built, kept, removeOld);
}

/** Holds back warnings that every run would print: of `node:sqlite`, and of run-bundle.js. Other warnings are shown. */
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!/^(SQLite|vm\.USE_MAIN_CONTEXT_DEFAULT_LOADER) is an experimental/.test(String(warning))) {
      emitWarning.call(process, warning, ...rest);
    }
  };
}

/**
 * Switches on Node's compile cache. Node does not check who wrote the code in the cache, so the folder must be private to the
 * user. Without such a folder, every run compiles. If the user has set a variable for Node's cache, nothing is changed.
 * Returns the folder, which also holds the compiled bundle.
 */
function keepCompiledCode() {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    const folder = folderOfCompiledCode();
    if (folder) process.getBuiltinModule('node:module').enableCompileCache(folder);
    return folder;
  } catch {
    return undefined; // Continue without a cache. For example, the home folder is missing or not writable.
  }
}

/** `docfuse/compiled/VERSION` in the user's cache folder, made if missing; undefined if another user could change it. */
function folderOfCompiledCode() {
  const { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } =
    process.getBuiltinModule('node:fs');
  const { basename, dirname, join } = process.getBuiltinModule('node:path');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const levels = ['docfuse', 'compiled', version];
  let folder = userCacheFolder();
  if (!existsSync(folder)) {
    levels.unshift(basename(folder));
    folder = dirname(folder);
  }
  folder = realpathSync.native(folder);
  for (let above = folder, below; above !== below; below = above, above = dirname(above)) {
    if (!isSafe(lstatSync(above))) return undefined;
  }
  for (const level of levels) {
    const parent = folder;
    folder = join(parent, level);
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there && !isPrivate(there)) return undefined;
    if (there) continue;
    mkdirSync(folder, { mode: 0o700 });
    if (level === version) removeOld(parent);
  }
  return folder;
}

/** The user's cache folder. A relative path is ignored: the working directory may belong to another user. */
function userCacheFolder() {
  const { env, platform } = process;
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const named = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  if (platform !== 'darwin' && named && isAbsolute(named)) return named;
  // `homedir` also reads HOME first, but loading `node:os` would double the time of `keepCompiledCode`.
  const home = (platform !== 'win32' && env.HOME) || process.getBuiltinModule('node:os').homedir();
  if (!isAbsolute(home)) throw new RangeError(`The home ${home} is relative.`);
  if (platform === 'win32') return join(home, 'AppData', 'Local');
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}

/** Whether no other user can replace entries of the folder. In a sticky folder, such as `/tmp`, users replace only their own. */
function isSafe({ uid, mode }) {
  const user = process.geteuid?.(); // none on Windows, where access lists protect a user's folders
  return (
    user === undefined || ((uid === 0 || uid === user) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0))
  );
}

/** Whether `stats` describe a folder (not a link) that only this user can open. */
function isPrivate(stats) {
  const user = process.geteuid?.();
  return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o077) === 0));
}

/** Removes old entries of a folder. Without the delay, two versions in use would remove each other's code. */
function removeOld(parent) {
  const { lstatSync, readdirSync, rmSync } = process.getBuiltinModule('node:fs');
  for (const name of readdirSync(parent)) {
    const entry = `${parent}/${name}`;
    if (Date.now() - lstatSync(entry).mtimeMs > KEPT_MS) rmSync(entry, { recursive: true });
  }
}

async function restartUnderNewerNode() {
  const newer = process.env[GUARD] ? undefined : await findNode();
  if (newer === undefined) {
    console.error(
      `docfuse needs Node ${MAJOR}.${MINOR} or newer; this is Node ${process.versions.node}.\n` +
        'Install a newer Node, or a Node for docfuse alone, in the same way as docfuse:\n' +
        '  npm install node@24\n' +
        '  npm install -g node@24\n' +
        '  npx -p node@24 -p docfuse docfuse …',
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(newer, [...process.execArgv, ...process.argv.slice(1)], {
    // Through the channel, the child notices when this process is killed: a server must not outlive the process that started it.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...ALLOCATION, ...process.env, [GUARD]: '1' },
  });
  // The child decides when to end. It may get a signal twice, from the terminal and from here, and expects that.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  child.on('error', (error) => {
    console.error(`docfuse could not start ${newer}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Finds Node in the nearest package `node`, in the folders where npm installs dependencies. */
async function findNode() {
  const { existsSync } = await import('node:fs');
  const { dirname, join } = await import('node:path');
  const { fileURLToPath } = await import('node:url');
  const here = dirname(fileURLToPath(import.meta.url));
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', 'node', 'bin', file);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}
