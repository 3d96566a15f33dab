/**
 * Builds the web page of the server into dist/web. Vite gives each file a name that changes with its content.
 * Usage: node scripts/build-page.ts [folder of the package, default this one]
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

await build({
  configFile: false,
  root: join(ROOT, 'src/surfaces/web'),
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(resolve(process.argv[2] ?? ROOT), 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // The licences of the packages inside require that a copy of them is included.
    license: { fileName: 'LICENSES.md' },
  },
});
