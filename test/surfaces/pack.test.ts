/** The tarball, installed into an empty folder, does the job of the clone. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRuntimePackages } from '../../scripts/make-runtime-packages.ts';
import { VERSION } from '../../src/engine/version.ts';
import { BUILT_PACKAGE } from '../build-package.ts';
import { createPlayground, execute } from './cli/docfuse.ts';
import { connectStdio, textOf } from './mcp/connect.ts';
import { signaturesOf } from './signatures.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const playground = createPlayground(
  {
    'app/package.json': '{ "type": "module", "private": true }',
    'app/docs/lantern.md': '# Lanterns\n\nHow to light a lantern in the rain.\n',
    'app/typed.ts': readFileSync(new URL('./typed-program.ts', import.meta.url)),
    'app/use.js': [
      "import { open } from 'docfuse';",
      "await using index = await open({ roots: ['docs'] });",
      'await index.sync();',
      "const { hits } = await index.search('fire in wet weather', { mode: 'semantic', minConfidence: 0 });",
      'console.log(hits[0].path);',
      "const names = ['docfuse/core', 'docfuse/http', 'docfuse/mcp'];",
      'const entries = await Promise.all(names.map((name) => import(name)));',
      "console.log(entries.map((entry) => Object.keys(entry).length > 0).join(' '));",
    ].join('\n'),
  },
  { packagedModel: true },
);
afterAll(() => playground[Symbol.dispose]());

/** What the tarball holds beside the build, and what it leaves out. */
const PARTS = [
  ...['bin', 'docs', 'models', 'scripts', 'src', 'test', 'package.json', 'tsconfig.json'],
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'],
];

const app = join(playground.folder, 'app');
const inApp = { cwd: app, env: playground.env };
const command = join(app, 'node_modules', 'docfuse', 'bin', 'docfuse.js');
let packed: readonly string[] = [];

beforeAll(() => {
  const copy = join(playground.folder, 'checkout');
  for (const part of PARTS) cpSync(join(repository, part), join(copy, part), { recursive: true });
  cpSync(join(BUILT_PACKAGE, 'dist'), join(copy, 'dist'), { recursive: true });
  // What was built for all tests is packed as it is: `npm run check:package` builds by the script that packing runs.
  const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', playground.folder];
  const [report] = JSON.parse(npm(pack, copy)) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  packed = report.files.map(({ path }) => path);
  npm(['install', '--prefer-offline', '--silent', join(playground.folder, report.filename)], app);
  const platform = `${process.platform}-${process.arch}`;
  makeRuntimePackages(playground.folder, platform);
  const modules = join(app, 'node_modules');
  for (const [from, name] of [
    [join(playground.folder, platform), `@docfuse/onnxruntime-${platform}`],
    [join(repository, 'node_modules/onnxruntime-common'), 'onnxruntime-common'],
  ] as const)
    cpSync(from, join(modules, name), { recursive: true });
}, 120_000);

function npm(args: readonly string[], cwd: string): string {
  // Windows starts npm through a shell.
  const shell = process.platform === 'win32';
  return execFileSync('npm', args, { cwd, shell, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

test('holds the build, the model and the licence, and neither sources nor tests', () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'bin/docfuse.js',
      'dist/index.js',
      'dist/index.d.ts',
      'bin/run-bundle.js',
      'dist/command/main.cjs',
      'dist/command/LICENSES.txt',
      'dist/web/index.html',
      'dist/web/LICENSES.md',
      'dist/web/meaning/runtime',
      'dist/web/meaning/worker.js',
      'dist/adapters/onnx/model-worker.js',
      'models/bge-small-en-v1.5/model_quantized.onnx',
      'models/bge-small-en-v1.5/LICENSE.txt',
    ]),
  );
  expect(
    packed.filter((path) => /^(src|test|bench|scripts)\/|golden|\.(py|png|tsx)$|(?<!\.d)\.ts$/.test(path)),
  ).toEqual([]);
});

test('a build removes what a former one left', () => {
  const folder = join(playground.folder, 'former');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  cpSync(join(repository, 'package.json'), join(folder, 'package.json'));
  npm(['run', '--silent', 'prebuild'], folder);
  expect(readdirSync(folder)).toEqual(['package.json']);
});

/** Prints what of Node was loaded. */
const LOADED = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write(process.moduleLoadList.join(' ')))",
)}`;

test('the bundled command loads no more of Node than it needs', async () => {
  const { stdout, stderr } = await execute(['--import', LOADED, command, '--version'], inApp);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(stderr).toContain('NativeModule fs');
  expect(stderr.match(/NativeModule (crypto|child_process|http|sqlite|worker_threads)\b/g)).toBeNull();
  const search = [command, 'search', 'lantern', 'docs', '--mode', 'keyword', '--no-server'];
  await execute(search, inApp);
  const again = await execute(['--import', LOADED, ...search], inApp);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('NativeModule sqlite') });
  expect(again.stderr.match(/NativeModule (crypto|child_process|http|worker_threads)\b/g)).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'code is compiled in the first searches, and read in the others (on Linux)',
  async () => {
    const cache = join(playground.folder, 'cache');
    const kept = join(cache, 'docfuse/compiled', VERSION);
    const env = { ...playground.env, XDG_CACHE_HOME: cache };
    const search = async (more: NodeJS.ProcessEnv = {}) => {
      const args = [command, 'search', 'lantern', 'docs', '--mode', 'keyword', '--files', '--no-server'];
      const outcome = await execute(args, { cwd: app, env: { ...env, ...more } });
      expect(outcome).toMatchObject({ code: 0, stdout: 'docs/lantern.md\n' });
    };
    const chunks = () =>
      readdirSync(kept)
        .filter((name) => name.includes('.cjs.'))
        .map((name) => `${name} ${statSync(join(kept, name)).ino}`);
    await search();
    await search(); // finds the files unchanged, so it loads some chunks in another order, under other flags
    const first = chunks();
    // A search changes flags of V8 while it runs, so some chunks are compiled under others.
    expect(new Set(first.map((file) => /\.cjs\.(\w+)/.exec(file)?.[1])).size).toBe(2);
    expect(first.join('\n')).toMatch(/^first-.*^open-/ms);
    await search();
    expect(chunks()).toEqual(first); // not written again: V8 took all
    await search({ NODE_DISABLE_COMPILE_CACHE: '1' });
    rmSync(cache, { recursive: true });
    await search({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(existsSync(cache)).toBe(false);
  },
);

test('each package that the bundled command requires can be required', async () => {
  const folder = join(command, '../../dist/command');
  const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const names = new Set(
    code
      .join('\n')
      .matchAll(/\brequire\("([^."][^"]*)"\)/g)
      .map((match) => match[1]),
  );
  expect(names).toContain('markdown-it');
  const script = [...names].map((name) => `require(${JSON.stringify(name)});\n`).join('');
  writeFileSync(join(folder, 'each.cjs'), script);
  const outcome = await execute([join(folder, 'each.cjs')], inApp);
  expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the command indexes and searches by meaning', async () => {
  const outcome = await execute(
    [
      command,
      'search',
      'fire in wet weather',
      'docs',
      '--mode',
      'semantic',
      '--min-confidence',
      '0',
      '--files',
    ],
    inApp,
  );
  expect(outcome).toMatchObject({ code: 0, stdout: 'docs/lantern.md\n' });
  expect(outcome.stderr).toMatch(/(^|\n)1 file in [\d,]+ ms · 1 document\n$/);
});

test('the bundled command knows where it lies, and serves assistants', async () => {
  const { stdout } = await execute(
    [command, 'mcp', 'install', '--client', 'cursor', 'docs', '--json'],
    inApp,
  );
  expect(JSON.parse(stdout).configuration).toContain(JSON.stringify(command));
  await using connected = await connectStdio({
    args: [command, 'mcp', 'docs'],
    cwd: app,
    env: playground.env,
  });
  const { client } = connected;
  expect((await client.listTools()).tools).toHaveLength(6);
  expect(
    textOf(await client.callTool({ name: 'query_documents', arguments: { query: 'light a lantern' } })),
  ).toContain('lantern.md');
  const prompt = { name: 'answer_from_documents', arguments: { question: 'How is a lantern lit?' } };
  expect((await client.getPrompt(prompt)).messages).not.toEqual([]);
});

test('a report without the plotting packages says what to install, before anything is measured', async () => {
  const outcome = await execute([command, 'eval', 'no-such-set', '--report', 'report.html'], inApp);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('Run `npm install vega vega-lite`, or leave out --report.');
});

const ENTRIES = {
  docfuse: 'index',
  'docfuse/core': 'core/index',
  'docfuse/http': 'surfaces/http/index',
  'docfuse/mcp': 'surfaces/mcp/index',
};

/** After a deliberate change: `npx vitest run test/surfaces/pack.test.ts --update`, and read the difference. */
test('what programs may import is declared as it was', async () => {
  const dist = join(app, 'node_modules', 'docfuse', 'dist');
  const parts = Object.entries(ENTRIES).map(
    ([name, path]) => `// ${name}\n\n${signaturesOf(join(dist, `${path}.d.ts`)).join('\n')}\n`,
  );
  await expect(parts.join('\n')).toMatchFileSnapshot('../pins/signatures.txt');
});

test('a program is compiled against its types, as strictly as there is', async () => {
  const types = join(repository, 'node_modules');
  const compiler = join(types, 'typescript', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const kind = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,esnext.disposable,dom'];
  const found = ['--skipLibCheck', '--types', 'node', '--typeRoots', join(types, '@types')];
  expect(await execute([compiler, ...options, ...kind, ...found, 'typed.ts'], inApp)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test('the library is imported by name', async () => {
  expect(await execute(['use.js'], inApp)).toEqual({
    code: 0,
    stdout: 'lantern.md\ntrue true true\n',
    stderr: '',
  });
});
