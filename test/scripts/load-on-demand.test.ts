import { expect, test } from 'vitest';
import { loadOnDemand } from '../../scripts/load-on-demand.ts';

const LOAD = 'globalThis.process.getBuiltinModule("node:os")';

/** Runs a bundle that imports `node:os`, and returns its value, and how often it had loaded the module before and after. */
function run(body: string): readonly [value: unknown, before: number, after: number] {
  const code = loadOnDemand(`let node_os = ${LOAD};\nmark();\nreturn ${body};`);
  let loads = 0;
  let before = 0;
  const counted = code.replaceAll('globalThis.process.getBuiltinModule', 'load');
  const load = (name: string) => {
    loads++;
    return process.getBuiltinModule(name);
  };
  const value = new Function('load', 'mark', counted)(load, () => (before = loads));
  return [value, before, loads];
}

test.each([
  ['a call', '[(0, node_os.availableParallelism)()].length', 1],
  ['a class', 'new node_os.availableParallelism.constructor("return 1")()', 1],
  ['a spread', '({ ...node_os.constants }).signals.SIGINT', 2],
])('%s works on a module that is loaded late', (_, body, value) => {
  expect(run(body)).toEqual([value, 0, 1]);
});

test('a module that is used as a whole is loaded at once', () => {
  expect(run('Object.keys(node_os).length > 9 && node_os.EOL')).toEqual(['\n', 1, 1]);
});
