/** The start-up file: which Node it runs under, and what it says when none will do. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createProgram } from '../../src/surfaces/cli/program.ts';
import { BIN, createPlayground } from './cli/docfuse.ts';

const playground = createPlayground({
  'package.json': '{ "type": "module" }',
  // Claims to be an older Node before anything else runs.
  'old.mjs': 'Object.defineProperty(process.versions, "node", { value: "20.19.5" });\n',
});
afterAll(() => playground[Symbol.dispose]());

const asOldNode = ['--import', pathToFileURL(join(playground.folder, 'old.mjs')).href];
const lonely = join(playground.folder, 'bin', 'docfuse.js');
mkdirSync(join(playground.folder, 'bin'));
copyFileSync(BIN, lonely);

function start(file: string, env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: playground.folder, env: { ...playground.env, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [...asOldNode, file, '--version'], options);
}

test('without a newer Node the first line says which version is needed', () => {
  const { status, stdout, stderr } = start(lonely);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.split('\n')[0]).toBe('docfuse needs Node 22.18 or newer; this is Node 20.19.5.');
  for (const remedy of ['npm install node@24', 'npm install -g node@24', 'npx -p node@24 -p docfuse docfuse'])
    expect(stderr).toContain(`\n  ${remedy}`);
});

test('a replaced Node that is too old as well is not replaced again', () => {
  expect(start(BIN, { DOCFUSE_NODE_REPLACED: '1' })).toMatchObject({ status: 1 });
});

test.skipIf(process.platform === 'win32')(
  'the Node among the dependencies takes over, with its exit code',
  () => {
    const folder = join(playground.folder, 'node_modules', 'node', 'bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "replaced $DOCFUSE_NODE_REPLACED $4"\nexit 7\n');
    chmodSync(join(folder, 'node'), 0o755);
    expect(start(lonely)).toMatchObject({ status: 7, stdout: 'replaced 1 --version\n' });
  },
);

test('nothing is printed but the answer', () => {
  const outcome = spawnSync(process.execPath, [BIN, 'status', '--quiet'], {
    cwd: playground.folder,
    env: playground.env,
    encoding: 'utf8',
  });
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  expect(execFileSync(process.execPath, [BIN, '--version'], { encoding: 'utf8' })).toMatch(/^\d/);
});

/** Each option that may stand before a command, with its value where it takes one. */
const idle = async () => {};
const OPTIONS_BEFORE = createProgram({ operation: idle, server: idle })
  .options.filter(({ long }) => long !== '--version')
  .map(({ long, required, argChoices }) => (required ? [long!, argChoices?.[0] ?? 'search'] : [long!]));

test.runIf(process.platform === 'linux' && 'execve' in process)(
  'indexing and mcp begin again as the same process, told how to allocate; nothing else does, nor what was told',
  () => {
    const noted = join(playground.folder, 'noted.mjs');
    writeFileSync(noted, 'process._rawDebug(process.pid, process.env.MALLOC_MMAP_THRESHOLD_);\n');
    const starts = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const { pid, status, stderr } = spawnSync(
        process.execPath,
        ['--import', noted, BIN, ...args, '--help'],
        {
          ...{ cwd: playground.folder, env: { ...playground.env, ...env }, encoding: 'utf8' },
        },
      );
      return {
        status,
        begun: stderr
          .trim()
          .split(`\n`)
          .map((line) => line.replace(`${pid} `, '')),
      };
    };
    for (const command of ['index', 'mcp'])
      expect(starts([command])).toEqual({ status: 0, begun: ['undefined', '131072'] });
    expect(starts(['index'], { MALLOC_MMAP_THRESHOLD_: '1' })).toEqual({ status: 0, begun: ['1'] });
    expect(starts(['status'])).toEqual({ status: 0, begun: ['undefined'] });
    for (const before of OPTIONS_BEFORE) {
      expect(starts([...before, 'index'])).toEqual({ status: 0, begun: ['undefined', '131072'] });
      expect(starts([...before, 'status', 'index'])).toEqual({ status: 0, begun: ['undefined'] });
    }
  },
);
