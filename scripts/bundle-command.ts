/** Bundles the command line of the package into dist/command: finding a hundred files takes longer than a short command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = 'dist/command';

/** Packages that every command loads; the others are loaded from where npm puts them, by the commands that need them. */
const INSIDE: ReadonlySet<string> = new Set(['commander', 'picocolors', 'smol-toml', 'zod']);

const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: { main: 'src/surfaces/cli/main.ts' },
  outdir: OUT,
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22.18' },
  ...{ minifyWhitespace: true, legalComments: 'none', metafile: true },
  // What two of the packages require is of Node alone.
  banner: { js: 'const require = process.getBuiltinModule;' },
  plugins: [keepOutside(), keepAddresses()],
});
writeFileSync(join(ROOT, OUT, 'LICENSES.txt'), licencesOf(metafile));

/** Leaves packages to npm, and modules of Node to Node. */
function keepOutside(): Plugin {
  return {
    name: 'keep-outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || INSIDE.has(path.split('/', 1)[0]!) ? undefined : { path, external: true },
      );
    },
  };
}

/** Sources find models, workers and the manifest from where they lie: bundled, they say where their own build lies. */
function keepAddresses(): Plugin {
  return {
    name: 'keep-addresses',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const built = join(ROOT, 'dist', relative(join(ROOT, 'src'), path)).replace(/\.ts$/, '.js');
        const from = relative(join(ROOT, OUT), built).replaceAll('\\', '/');
        const address = `new URL(${JSON.stringify(from)}, import.meta.url).href`;
        return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address) };
      });
    },
  };
}

/** The licences of the packages inside, as they ask for. */
function licencesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap(
    (file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  );
  return [...new Set(folders)]
    .map((folder) => {
      const { name, version } = readManifest(folder);
      return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8').trim()}\n`;
    })
    .join('\n\n');
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}
