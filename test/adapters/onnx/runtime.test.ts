import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const RUNTIME = new URL('../../../src/adapters/onnx/runtime.ts', import.meta.url).href;

/** Runs a program in which the packages of the runtime resolve as `resolve` says. */
async function load(resolve: string): Promise<unknown> {
  const script = `
    import { registerHooks } from 'node:module';
    const absent = () => Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    registerHooks({ resolve(specifier, context, next) {
      if (!specifier.includes('onnxruntime-')) return next(specifier, context);
      ${resolve}
    } });
    const { loadRuntime } = await import(${JSON.stringify(RUNTIME)});
    await loadRuntime().then(
      ({ env, name }) => console.log(JSON.stringify({ name, env })),
      ({ code, message, remedy }) => console.log(JSON.stringify({ code, message, remedy })),
    );`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}

/** A module that says which package it stands for. */
const MODULE =
  "return { shortCircuit: true, url: `data:text/javascript,export const env = { wasm: {} }, name = '${specifier}'` };";
const NATIVE = `@docfuse/onnxruntime-${process.platform}-${process.arch}`;

describe('runtime', () => {
  test.each([
    ['the package for this platform', NATIVE, ''],
    ['the official package without it', 'onnxruntime-node', "if (specifier[0] === '@') throw absent();"],
    ['WebAssembly without both', 'onnxruntime-web', "if (!specifier.endsWith('web')) throw absent();"],
    [
      'WebAssembly where the native library does not load',
      'onnxruntime-web',
      "if (!specifier.endsWith('web')) throw new Error('wrong ELF class');",
    ],
  ])('is %s', async (_, name, refuse) => {
    expect(await load(refuse + MODULE)).toEqual({
      name,
      env: { logLevel: 'error', wasm: { numThreads: 1 } },
    });
  });

  test.each([
    ['is not installed', 'throw absent();'],
    ['does not load', "throw new Error('libonnxruntime.so.1: wrong ELF class');"],
  ])('says what to do where it %s', async (what, resolve) => {
    expect(await load(resolve)).toEqual({
      code: 'runtime_missing',
      message: expect.stringContaining(what),
      remedy: expect.stringContaining('npm install onnxruntime-web'),
    });
  });
});
