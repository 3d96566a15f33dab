/** Why search by meaning failed, in words. */
import { expect, test } from 'vitest';
import { modelProblem } from '../../../src/surfaces/web/site/site-data.ts';

test.each([
  [new RangeError('Array buffer allocation failed'), 'The browser has too little memory'],
  [new Error('Out of memory'), 'The browser has too little memory'],
  [
    new Error(
      'no available backend found. ERR: [wasm] RuntimeError: WebAssembly.Memory(): could not allocate memory',
    ),
    'too little memory',
  ],
  [
    new Error('ERR: [wasm] CompileError: WebAssembly.instantiate(): violates the policy'),
    'WebAssembly is not allowed',
  ],
  [
    new Error('The file /model-1/model-0 could not be loaded: the server answers 404.'),
    '/model-1/model-0 could not be loaded',
  ],
  [new Error('Invalid model'), 'The model failed: Error: Invalid model'],
])('%s', (error, told) => {
  expect(modelProblem(error)).toContain(told);
});
