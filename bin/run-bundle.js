/**
 * Runs the bundle of the package and keeps the code that V8 compiled. Node's compile cache lacks the functions that are compiled
 * when they are first called; compiling them takes a fifth of the time of a short search.
 */

/** Chunks have a hash of their code in their names, so kept code cannot belong to another version of a chunk. */
const CHUNK = /-[\w-]{8}\.cjs$/;

/** Bytes before the kept code: its checksum, and a gap, because V8 copies code that is not aligned. */
const HEADER = 8;

/** V8's own values of the flags that a search sets after its first chunks are loaded (src/surfaces/cli/garbage.ts). */
const DEFAULT_FLAGS = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

/**
 * @param {string} main path of the first script
 * @param {string} kept folder for compiled code; no other user can write there
 */
export function runBundle(main, kept) {
  const [fs, { createRequire }, path, v8, vm, { crc32 }] = [
    ...['node:fs', 'node:module', 'node:path', 'node:v8', 'node:vm', 'node:zlib'],
  ].map(process.getBuiltinModule);
  const requirePackage = createRequire(main);
  const modules = new Map();
  /** The scripts of chunks, each with the file for its compiled code and with V8's tag at its start. */
  const scripts = [];
  let isComplete = true;

  process.on('exit', () => {
    if (isComplete) return;
    try {
      save();
    } catch {
      // The next run compiles again. For example, the disk is full.
    }
  });
  load(path.basename(main));

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const file = path.join(path.dirname(main), name);
    const code = `(function (exports, require, module, __filename) {${fs.readFileSync(file, 'utf8')}\n})`;
    const run = compile(file, code).runInThisContext();
    run(module.exports, (id) => (id.startsWith('./') ? load(id.slice(2)) : requirePackage(id)), module, file);
    return module.exports;
  }

  function compile(filename, code) {
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    if (!CHUNK.test(filename)) return new vm.Script(code, { filename, importModuleDynamically });
    // The tag changes with the version of V8 and with its flags. V8 refuses code that was saved under another one.
    const tag = v8.cachedDataVersionTag();
    const file = path.join(kept, `${path.basename(filename)}.${tag.toString(16)}`);
    const cachedData = read(file);
    const script = new vm.Script(code, { filename, importModuleDynamically, cachedData });
    if (!cachedData || script.cachedDataRejected) isComplete = false;
    scripts.push({ script, file, tag });
    return script;
  }

  /** Returns undefined if the file is missing or damaged. */
  function read(file) {
    if (!fs.existsSync(file)) return undefined;
    const bytes = fs.readFileSync(file);
    const data = bytes.subarray(HEADER);
    return data.length > 0 && crc32(data) === bytes.readUInt32LE(0) ? data : undefined;
  }

  /** Saves all scripts, because a run that loads another chunk has also called other functions of the known ones. */
  function save() {
    for (const flags of [[], DEFAULT_FLAGS]) {
      for (const flag of flags) v8.setFlagsFromString(flag);
      const now = v8.cachedDataVersionTag();
      for (const { script, file, tag } of scripts) if (tag === now) write(file, script.createCachedData());
    }
  }

  function write(file, data) {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(crc32(data), 0);
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, Buffer.concat([header, data]), { mode: 0o600 });
    fs.renameSync(draft, file);
  }
}
