/**
 * Builds the web page of the server, the page of an export, and its element for other sites into dist/web. Vite gives each file a
 * name that changes with its content; other sites need a name for the element that stays.
 * Usage: node scripts/build-page.ts [folder of the package, default this one]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type BuildEnvironmentOptions, build, type InlineConfig, type Plugin } from 'vite';
import { PAGE_POLICY } from '../src/surfaces/http/page.ts';

// Tests measure the page that users get.
process.env['NODE_ENV'] = 'production';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const WEB = join(ROOT, 'src/surfaces/web');

/**
 * Packages of markdown-it that the page does without: it makes no links of bare addresses, and a browser itself writes a host with
 * other letters in ASCII, knows punctuation, and reads `&copy;`. It would also read the beginning of `&copyleft;`, a name that there
 * is not.
 */
const STUBS: Readonly<Record<string, string>> = {
  'linkify-it': 'export function LinkifyIt() {}',
  'punycode.js': 'export default { toASCII: (host) => host, toUnicode: (host) => host };',
  'uc.micro': String.raw`export const P = /\p{P}/u; export const S = /\p{S}/u;`,
  entities: `const box = document.createElement('i');
    export function decodeHTMLStrict(name) {
      box.innerHTML = name;
      return box.textContent.length > 2 ? name : box.textContent;
    }`,
};
/** Rules of markdown-it that are switched off. */
const UNUSED = ['["linkify", linkify$1],', '["replacements", replace],', '["smartquotes", smartquotes],'];
const smallMarkdown: Plugin = {
  name: 'small-markdown',
  enforce: 'pre',
  resolveId: (id) => (id in STUBS ? `\0${id}` : undefined),
  load: (id) => STUBS[id.slice(1)],
  transform(code, id) {
    if (!id.endsWith('/markdown-it.mjs')) return undefined;
    const missing = UNUSED.filter((rule) => !code.includes(rule));
    if (missing.length > 0) throw new Error(`markdown-it has no rule ${missing.join(' or ')}`);
    return UNUSED.reduce((rest, rule) => rest.replace(rule, ''), code);
  },
};

/** The page describes no settings. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/search-settings.ts') ? code.replace(/'[A-Z][^'\n]* [^'\n]*\.'/g, "''") : undefined,
};

/** Both pages have one head and one policy. A server sends the policy as a header; an export has no server. */
const withHead: Plugin = {
  name: 'with-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<!-- head -->', () => readFileSync(join(WEB, 'head.html'), 'utf8').trim())
        .replace('POLICY', () => PAGE_POLICY),
  },
};

const OUT = join(resolve(process.argv[2] ?? ROOT), 'dist/web');
const SHARED: InlineConfig = { configFile: false, root: WEB, base: './', logLevel: 'warn', publicDir: false };
const BUILD: BuildEnvironmentOptions = {
  emptyOutDir: true,
  target: 'es2022',
  modulePreload: false,
  // The licences of the packages inside require that a copy of them is included.
  license: { fileName: 'LICENSES.md' },
};

await build({
  ...SHARED,
  plugins: [smallMarkdown, withoutDescriptions, withHead],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    ...BUILD,
    outDir: OUT,
    manifest: 'manifest.json',
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: [join(WEB, 'index.html'), join(WEB, 'site.html')],
    },
  },
});

// The element is one file: a site loads it with one request. Its packages are those of the page.
await build({
  ...SHARED,
  plugins: [withoutDescriptions],
  build: {
    ...BUILD,
    outDir: OUT,
    emptyOutDir: false,
    license: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: join(WEB, 'element/docfuse-search.ts'),
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});

/** ONNX Runtime in one file, without graphics cards. */
const RUNTIME = join(ROOT, 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm');

/** Vite would copy the file as it is. Here it is compressed, and the worker gives it to the runtime. */
const compressedRuntime: Plugin = {
  name: 'compressed-runtime',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('onnxruntime-web')
      ? code.replaceAll('new URL("ort-wasm-simd-threaded.wasm",import.meta.url)', 'new URL(location)')
      : undefined,
  generateBundle() {
    const source = deflateRawSync(readFileSync(RUNTIME), { level: 9 });
    this.emitFile({ type: 'asset', fileName: 'runtime', source });
  },
};

// A checkout may lack the runtime before its next `npm ci`. Until then it exports no vectors.
if (existsSync(RUNTIME)) {
  await build({
    ...SHARED,
    plugins: [compressedRuntime],
    build: {
      ...BUILD,
      outDir: join(OUT, 'meaning'),
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: join(WEB, 'site/meaning-worker.ts'),
        output: { entryFileNames: 'worker.js', codeSplitting: false },
      },
    },
  });
}
