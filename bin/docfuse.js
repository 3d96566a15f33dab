#!/usr/bin/env node
// Starts docfuse under a Node that is new enough. Plain JavaScript that Node 18 can read.

/** First version with type stripping and `node:sqlite` without flags. */
const MAJOR = 22;
const MINOR = 18;

/** Set for the process we start, which must not start another. */
const GUARD = 'DOCFUSE_NODE_REPLACED';

/** The command, as it was typed. */
const COMMAND = commandIn(process.argv.slice(2));

/**
 * For indexing, and for what waits for an assistant, blocks of memory from this size on are the system's again as soon as they
 * are free; left to itself, glibc raises the size with the blocks it sees, to 32 MiB. It reads this before the process starts.
 */
const ALLOCATION = ['index', 'mcp'].includes(COMMAND) ? { MALLOC_MMAP_THRESHOLD_: '131072' } : {};

if (isNewEnough(process.versions.node)) {
  replaceToSaveMemory();
  await start();
} else await restartUnderNewerNode();

/** The first word that is neither an option nor the value of an option that may stand before a command. */
function commandIn(args) {
  const takeValues = ['--index', '--config', '--set'];
  return args.find((arg, place) => !arg.startsWith('-') && !takeValues.includes(args[place - 1]));
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > MAJOR || (major === MAJOR && minor >= MINOR);
}

/** The same process begins again, told how to allocate; not where it has a channel to its parent, which would be lost. */
function replaceToSaveMemory() {
  const { execve, execPath, execArgv, argv, env } = process;
  const told = Object.keys(ALLOCATION).every((name) => name in env);
  if (told || process.platform !== 'linux' || process.connected || !execve) return;
  const { existsSync } = process.getBuiltinModule('node:fs');
  // A call that fails ends the process: not where Node was started by a loader, or has been replaced.
  if (!/[/]node[^/]*$/.test(execPath) || !existsSync(execPath)) return;
  execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...ALLOCATION });
}

/** A clone runs its sources; the package has none and runs what was bundled from them. */
async function start() {
  delete process.env[GUARD];
  silenceSqliteWarning();
  // A search sees to it once it is not answered by a server (src/surfaces/cli/garbage.ts).
  if (COMMAND !== 'search') {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    // Young objects are collected in small steps, not let pile up to 96 MB: a quarter less memory while indexing, and as fast.
    setFlagsFromString('--semi-space-growth-factor=1');
    // Old ones may grow by half before they are looked at, not to three times as many.
    setFlagsFromString('--heap-growing-percent=50');
  }
  // Imported as modules, these two would load much else along with them.
  process.getBuiltinModule('node:module').enableCompileCache();
  const { existsSync } = process.getBuiltinModule('node:fs');
  const source = new URL('../src/surfaces/cli/main.ts', import.meta.url);
  const built = new URL('../dist/command/main.js', import.meta.url);
  await import(existsSync(source) ? source.href : built.href);
}

/** `node:sqlite` calls itself experimental in every run; no other warning is held back. */
function silenceSqliteWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      emitWarning.call(process, warning, ...rest);
    }
  };
}

async function restartUnderNewerNode() {
  const newer = process.env[GUARD] ? undefined : await findNode();
  if (newer === undefined) {
    console.error(
      `docfuse needs Node ${MAJOR}.${MINOR} or newer; this is Node ${process.versions.node}.\n` +
        'Install a newer Node, or add the package "node" next to docfuse: npm install node@24',
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(newer, [...process.execArgv, ...process.argv.slice(1)], {
    // The channel tells it when this process is killed: a server must not outlive who started it.
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

/** The package `node` nearest to this one, as npm lays dependencies out. */
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
