/**
 * Bundles the command line of the package into dist/command: opening two hundred files takes longer than a short command.
 * Usage: node scripts/bundle-command.ts [folder of the package, default this one]
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModuleInfo, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { loadOnDemand } from './load-on-demand.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = 'dist/command';
const TARGET = join(resolve(process.argv[2] ?? ROOT), OUT);
const CLI = join(ROOT, 'src/surfaces/cli');
const MAIN = join(CLI, 'main.ts');

/**
 * Packages that every command loads, and the bundler's own helpers. Commands load other packages from node_modules when they
 * need them.
 */
const INSIDE: ReadonlySet<string> = new Set([
  '@noble',
  '@oxc-project',
  'commander',
  'eld',
  'picocolors',
  'smol-toml',
  'zod',
]);

/** The modules of a search that a server answers, in load order. They and their imports become one file. */
const FIRST: readonly string[] = [MAIN, join(CLI, 'execute.ts'), join(CLI, 'views/show.ts')];

const bundle = await rolldown({
  input: { main: MAIN },
  platform: 'node',
  // Called twice: with the name of an import, then with its file.
  external: (id) => !isAbsolute(id) && !id.startsWith('.') && !INSIDE.has(id.split('/', 1)[0]!),
  transform: { target: 'node22.18' },
  plugins: [keepAddresses(), loadBuiltinsPlainly()],
  // A module that sources load on demand may be in the first file here.
  checks: { ineffectiveDynamicImport: false },
});
rmSync(TARGET, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: TARGET,
  // Scripts, because V8 keeps the compiled functions of scripts, not of modules (bin/run-bundle.js).
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  banner: '"use strict";',
  minify: { compress: false, mangle: false },
  comments: false,
  codeSplitting: {
    groups: [
      {
        debugName: 'first',
        // MAIN runs the command, so no file that other files import may contain it.
        name: (id, context) => (id !== MAIN && isFirst(id, context) ? 'first' : null),
      },
    ],
  },
});
const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
for (const { fileName, code } of chunks) {
  // Finds imports that the plugin below does not recognise. Imports on demand may stay.
  if (/\b(?:from|import|require\()\s*["'`]node:/.test(code)) {
    throw new Error(`${fileName} still imports a module of Node: loadBuiltinsPlainly() must know how.`);
  }
}
writeFileSync(join(TARGET, 'LICENSES.txt'), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));

/** Whether a module is one of the first, or one of them imports it statically. */
function isFirst(id: string, modules: Modules, seen: Set<string> = new Set()): boolean {
  if (FIRST.includes(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return modules.getModuleInfo(id)?.importers.some((importer) => isFirst(importer, modules, seen)) ?? false;
}

interface Modules {
  getModuleInfo(id: string): Pick<ModuleInfo, 'importers'> | null;
}

/** Replaces the address of each source by the address of its built file: models, workers and the manifest are found from there. */
function keepAddresses(): Plugin {
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!/[\\/]src[\\/].*\.ts$/.test(id)) return undefined;
      const built = join(ROOT, 'dist', relative(join(ROOT, 'src'), id)).replace(/\.ts$/, '.js');
      const from = relative(join(ROOT, OUT), built).replaceAll('\\', '/');
      const here = "process.getBuiltinModule('node:url').pathToFileURL(__filename)";
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(from)}, ${here}).href`);
    },
  };
}

/**
 * Replaces `require` for Node's modules: it loads all exports of a module, such as streams for `fs`. Leaves out
 * `node:child_process` of packages, because we do not let commander run programs.
 */
function loadBuiltinsPlainly(): Plugin {
  const plainly = (code: string) =>
    code.replaceAll(
      /\brequire\((["'`])(node:[^"'`]+)\1\)/g,
      (_, _quote, name: string) => `globalThis.process.getBuiltinModule(${JSON.stringify(name)})`,
    );
  return {
    name: 'load-builtins-plainly',
    transform: {
      filter: { id: /node_modules/ },
      handler: (code) => plainly(code.replaceAll(/\brequire\(['"]node:child_process['"]\)/g, '{}')),
    },
    renderChunk: (code) => loadOnDemand(plainly(code)),
  };
}

/** Returns the licences of the bundled packages. The licences require that a copy of them is included. */
function licencesOf(files: readonly string[]): string {
  const folders = files.flatMap((file) => file.match(/^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version } = readManifest(folder);
      return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
    })
    .join('\n\n');
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
