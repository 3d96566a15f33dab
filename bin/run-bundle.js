/**
 * Runs the bundle of the package and keeps the code that V8 compiled. Node's compile cache lacks the functions that are compiled
 * when they are first called; compiling them takes a fifth of the time of a short search.
 */

/** Names of chunks end with a hash. The main script does not, and is not kept. */
const CHUNK = /-[\w-]{8}\.cjs$/;

/** Bytes before the kept code: its checksum, and that of its source. V8 copies code that is not aligned to 8 bytes. */
const HEADER = 8;

/** Seconds after which a run saves nothing: V8 drops compiled functions that were not called for some time. */
const MAX_UPTIME = 10;

/** The values of V8's flags under which chunks are loaded: V8's own, and those of src/surfaces/cli/garbage.ts. */
export const FLAG_SETS = [
  ['--semi-space-growth-factor=2', '--heap-growing-percent=0'],
  ['--semi-space-growth-factor=2', '--heap-growing-percent=50'],
  ['--semi-space-growth-factor=1', '--heap-growing-percent=50'],
];

/**
 * @param {string} main path of the first script
 * @param {string} kept folder for compiled code; no other user can write there
 * @param {(folder: string) => void} removeOld removes what lies in a folder for too long
 */
export function runBundle(main, kept, removeOld) {
  const [fs, { createRequire }, path, v8, vm, { crc32 }] = [
    ...['node:fs', 'node:module', 'node:path', 'node:v8', 'node:vm', 'node:zlib'],
  ].map(process.getBuiltinModule);
  const requirePackage = createRequire(main);
  const requireAny = (id) => (id.startsWith('./') ? load(id.slice(2)) : requirePackage(id));
  requireAny.resolve = requirePackage.resolve;
  const modules = new Map();
  /** The scripts of chunks, each with what is known of its compiled code. */
  const scripts = [];

  process.on('exit', () => {
    if (process.uptime() > MAX_UPTIME || !scripts.some(isMissing)) return;
    try {
      save();
    } catch {
      // The next run compiles again.
    }
  });
  load(path.basename(main));

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const file = path.join(path.dirname(main), name);
    try {
      compile(file).runInThisContext()(module.exports, requireAny, module, file);
    } catch (error) {
      modules.delete(name); // otherwise the next call would get what is half loaded
      throw error;
    }
    return module.exports;
  }

  function compile(filename) {
    const source = fs.readFileSync(filename);
    const code = `(function (exports, require, module, __filename) {${source}\n})`;
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    if (!CHUNK.test(filename)) return new vm.Script(code, { filename, importModuleDynamically });
    // The tag changes with the version of V8 and with its flags. V8 refuses code that was saved under another one.
    const tag = v8.cachedDataVersionTag();
    const file = path.join(kept, `${path.basename(filename)}.${tag.toString(16)}`);
    const checksum = crc32(source);
    const cachedData = read(file, checksum);
    const script = new vm.Script(code, { filename, importModuleDynamically, cachedData });
    const size = cachedData && !script.cachedDataRejected ? cachedData.length : 0;
    scripts.push({ script, file, tag, checksum, size });
    return script;
  }

  /** Returns undefined if the file is missing or damaged, or if its code was compiled from another source. */
  function read(file, checksum) {
    try {
      const bytes = fs.readFileSync(file);
      const data = bytes.subarray(HEADER);
      return bytes.readUInt32LE(0) === crc32(data) && bytes.readUInt32LE(4) === checksum ? data : undefined;
    } catch {
      return undefined;
    }
  }

  function isMissing({ size }) {
    return size === 0;
  }

  /** Saves the missing code, and code with more functions: a run that loads another chunk calls other functions of known ones. */
  function save() {
    const tags = FLAG_SETS.map(tagUnder);
    // A user may have set other flags. Code that was compiled under them cannot be saved.
    if (!scripts.some((script) => isMissing(script) && tags.includes(script.tag))) return;
    for (const flags of FLAG_SETS) {
      const now = tagUnder(flags);
      for (const chunk of scripts) if (chunk.tag === now) write(chunk);
    }
    removeOld(kept);
  }

  /** Sets flags and returns V8's tag. */
  function tagUnder(flags) {
    for (const flag of flags) v8.setFlagsFromString(flag);
    return v8.cachedDataVersionTag();
  }

  function write({ script, file, checksum, size }) {
    const data = script.createCachedData();
    if (data.length <= size) return;
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(crc32(data), 0);
    header.writeUInt32LE(checksum, 4);
    const draft = `${file}.${process.pid}`;
    try {
      fs.writeFileSync(draft, Buffer.concat([header, data]), { mode: 0o600 });
      fs.renameSync(draft, file);
    } catch {
      fs.rmSync(draft, { force: true }); // for example, the disk is full
    }
  }
}
