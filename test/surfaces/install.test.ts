/** `npm install -g docfuse` and `npx docfuse`, on a machine that reaches one registry and has nothing else. */
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRuntimePackages } from '../../scripts/make-runtime-packages.ts';
import { BUILT_PACKAGE } from '../build-package.ts';
import { type LocalRegistry, startRegistry } from '../support/local-registry.ts';
import { createPlayground } from './cli/docfuse.ts';

const UPSTREAM = execFileSync('npm', ['config', 'get', 'registry'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
  .trim()
  .replace(/\/?$/, '/');
const REACHABLE = await fetch(new URL('picocolors', UPSTREAM), { signal: AbortSignal.timeout(5_000) }).then(
  ({ ok }) => ok,
  () => false,
);
const PLATFORM = `${process.platform}-${process.arch}`;
const run = promisify(execFile);

const playground = createPlayground(
  { 'notes/lantern.md': '# Lanterns\n\nHow to light one in the rain.\n' },
  { packagedModel: true },
);
const at = (...names: readonly string[]) => join(playground.folder, ...names);
let registry: LocalRegistry;
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  playground[Symbol.dispose]();
});

interface Place {
  /** Folder of the Node that comes before all others. */
  readonly node?: string;
  readonly cwd?: string;
  /** Where npm puts what is installed globally. */
  readonly prefix?: string;
}

/** Runs a command that knows one registry, with folders of npm's own that are empty at first. */
async function command(name: string, args: readonly string[], place: Place = {}) {
  const { node = dirname(process.execPath), cwd = at(), prefix = at('global') } = place;
  const env = {
    ...playground.env,
    PATH: [node, join(prefix, 'bin'), playground.env.PATH].join(delimiter),
    npm_config_registry: registry.url,
    npm_config_cache: at('npm-cache'),
    npm_config_prefix: prefix,
    npm_config_globalconfig: at('npmrc'),
    npm_config_update_notifier: 'false',
    [`npm_config_//${new URL(registry.url).host}/:_authToken`]: 'anyone',
  };
  return run(name, args, { cwd, env, maxBuffer: 2 ** 26 });
}

const SEARCH = ['search', 'fire in wet weather', 'notes', '--mode', 'semantic', '--min-confidence', '0'];

describe.skipIf(process.platform !== 'linux' || !REACHABLE)(
  'installed from a registry (skipped where none can be reached, and off Linux)',
  () => {
    beforeAll(async () => {
      registry = await startRegistry(UPSTREAM);
      // For this platform alone: the registry lacks the packages of the others, which must not matter.
      makeRuntimePackages(at('runtimes'), PLATFORM);
      for (const part of ['bin', 'dist', 'docs', 'models', 'package.json'])
        cpSync(realpathSync(join(BUILT_PACKAGE, part)), at('package', part), { recursive: true });
      mkdirSync(at('node-22'));
      await Promise.all([
        ...[at('package'), at('runtimes', PLATFORM)].map((folder) =>
          command('npm', ['publish', '--ignore-scripts', folder]),
        ),
        command('npm', ['install', '--prefix', at('node-22'), `node-${PLATFORM}@22`]),
      ]);
    }, 120_000);

    test('globally, with the oldest Node: the size, no install script, an answer by meaning', async () => {
      const node = at('node-22', 'node_modules', `node-${PLATFORM}`, 'bin');
      const { stderr } = await command('npm', ['install', '--global', 'docfuse'], { node });
      expect(stderr).toBe('');
      expect((await command('node', ['--version'], { node })).stdout).toMatch(/^v22\./);
      expect((await command('docfuse', [...SEARCH, '--files'], { node })).stdout).toBe('notes/lantern.md\n');

      const modules = at('global', 'lib', 'node_modules');
      const manifests = globSync('**/package.json', { cwd: modules }).map((file) => join(modules, file));
      const scripts = manifests.filter((file) => {
        const { scripts: found = {} } = JSON.parse(readFileSync(file, 'utf8'));
        const compiled = existsSync(join(dirname(file), 'binding.gyp'));
        return compiled || ['preinstall', 'install', 'postinstall'].some((name) => name in found);
      });
      expect(scripts).toEqual([]);
      const size = globSync('**/*', { cwd: modules })
        .map((file) => statSync(join(modules, file)))
        .reduce((sum, stats) => sum + 512 * stats.blocks, 0);
      // 45 MB of it are the runtime, 35 the model, 4 the runtime for exported pages.
      expect(size).toBeLessThan(135_000_000);
    }, 120_000);

    test('by npx with the newest Node, which leaves nothing in the folder', async () => {
      playground.write({ 'empty/notes/lantern.md': '# Lanterns\n\nHow to light one in the rain.\n' });
      const place = { cwd: at('empty'), prefix: at('nothing') };
      const found = await command('npx', ['--yes', 'docfuse', ...SEARCH, '--files'], place);
      expect(found.stdout).toBe('notes/lantern.md\n');
      expect(readdirSync(at('empty'))).toEqual(['notes']);
    }, 120_000);

    // Of the packages with the runtime, one does not fit and the registry lacks the others.
    test('where no native package is to be had: by words, said in one line, until WebAssembly is added by name', async () => {
      playground.write({
        'other/package.json': '{ "private": true }',
        'other/notes/a.md': '# Lanterns\n\nIn the rain.\n',
      });
      const there = { cwd: at('other') };
      const install = ['install', '--cpu', 'riscv64', '--omit', 'dev'];
      await command('npm', [...install, 'docfuse'], there);
      expect(readdirSync(at('other', 'node_modules'))).not.toContain('@docfuse');
      const search = [at('other/node_modules/.bin/docfuse'), 'search', 'rain', 'notes', '--files'];
      const { stdout, stderr } = await command('node', search, there);
      expect(stdout).toBe('notes/a.md\n');
      expect(stderr.split('\n').filter((line) => /words|runtime|onnx/i.test(line))).toEqual([
        expect.stringMatching(
          /^This answer was found by words only, not by meaning\. .*npm install onnxruntime-web/,
        ),
      ]);
      await command('npm', [...install, 'onnxruntime-web'], there);
      const found = await command('npx', ['docfuse', ...SEARCH, '--files'], there);
      expect(found.stdout).toBe('notes/a.md\n');
      expect(found.stderr).not.toMatch(/words|error/i);
    }, 120_000);
  },
);
