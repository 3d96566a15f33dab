/**
 * Builds the web page of the server, the page of an export, and its element for other sites into dist/web. Vite gives each file a
 * name that changes with its content; other sites need a name for the element that stays.
 * Usage: node scripts/build-page.ts [folder of the package, default this one]
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const WEB = join(ROOT, 'src/surfaces/web');

/** markdown-it makes links of bare addresses only if it is told to. The page does not, and leaves out the package for it. */
const withoutLinkify: Plugin = {
  name: 'without-linkify',
  enforce: 'pre',
  resolveId: (id) => (id === 'linkify-it' ? '\0without-linkify' : undefined),
  load: (id) => (id === '\0without-linkify' ? 'export function LinkifyIt() {}' : undefined),
};

await build({
  configFile: false,
  plugins: [withoutLinkify],
  root: WEB,
  base: './',
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(resolve(process.argv[2] ?? ROOT), 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    manifest: 'manifest.json',
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: [join(WEB, 'index.html'), join(WEB, 'site.html'), join(WEB, 'element/docfuse-search.ts')],
      output: {
        entryFileNames: ({ name }) => (name === 'docfuse-search' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
    // The licences of the packages inside require that a copy of them is included.
    license: { fileName: 'LICENSES.md' },
  },
});
