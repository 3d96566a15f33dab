/** Processes that stay collect often while they index, and as Node does once they are ready to answer. */
import { fork } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';

/** Writes the flags that are set on stderr as they come. */
const TOLD = `data:text/javascript,${encodeURIComponent(`
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const set = v8.setFlagsFromString;
  v8.setFlagsFromString = (flag) => {
    process.stderr.write(flag + '\\n');
    set(flag);
  };
  syncBuiltinESMExports();
`)}`;

const OFTEN = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

test.each([['serve', '--port', '0'], ['mcp']])('%s', async (...args) => {
  const { folder, env, [Symbol.dispose]: remove } = createPlayground({ 'a.md': '# A\n\nLanterns.\n' });
  onTestFinished(remove);
  const child = fork(BIN, args, { cwd: folder, env, silent: true, execArgv: ['--import', TOLD] });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let said = '';
  child.stderr!.on('data', (text) => {
    said += text;
  });
  const flags = () => said.match(/^--.*$/gm);
  await expect.poll(flags, { timeout: 30_000 }).toEqual([...OFTEN, '--semi-space-growth-factor=2']);
});
