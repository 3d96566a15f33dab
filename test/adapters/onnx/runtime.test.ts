import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const RUNTIME = new URL('../../../src/adapters/onnx/runtime.ts', import.meta.url).href;

describe('runtime', () => {
  test.each([
    ['is not installed', `Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })`],
    ['does not load', `new Error('libonnxruntime.so.1: wrong ELF class')`],
  ])('says what to do where it %s', async (what, error) => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier === 'onnxruntime-node') throw ${error};
          return next(specifier, context);
        },
      });
      const { loadRuntime } = await import(${JSON.stringify(RUNTIME)});
      await loadRuntime().catch(({ code, message, remedy }) => console.log(JSON.stringify({ code, message, remedy })));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual({
      code: 'runtime_missing',
      message: expect.stringContaining(what),
      remedy: expect.stringContaining('npm install --ignore-scripts'),
    });
  });
});
