/** A machine with one core: threads are chosen by what the system gives to the process. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { comparable } from '../comparable.ts';
import { BIN, createPlayground } from './docfuse.ts';

const BOUND = ['-c', '0', process.execPath];
const canBind =
  spawnSync('taskset', [...BOUND, '-p', 'os.availableParallelism()'], { encoding: 'utf8' }).stdout === '1\n';

test.skipIf(!canBind)(
  'a process bound to one core indexes and answers as others do (only where taskset binds one)',
  async () => {
    // More than is read in the thread of the command.
    const notes = Object.fromEntries(
      Array.from({ length: 70 }, (_, n) => [
        `docs/${n}.md`,
        Array.from({ length: 12 }, (_, part) => `# Part ${part} of ${n}\n\n${textOf(n * 12 + part)}\n`).join(
          '\n',
        ),
      ]),
    );
    using playground = createPlayground(notes);
    const { folder: cwd, env } = playground;
    const onOneCore = (args: readonly string[]) =>
      spawnSync('taskset', [...BOUND, BIN, ...args], { cwd, env, encoding: 'utf8' });
    const index = ['index', 'docs', '--json', '--index'];
    const indexed = onOneCore([...index, 'one']);
    expect(indexed.stderr).toBe('');
    const counts = { added: 70, embedded: 70 * 12 };
    expect(JSON.parse(indexed.stdout)).toMatchObject(counts);
    expect(JSON.parse((await playground.run([...index, 'other'])).stdout)).toMatchObject(counts);
    const query = ['search', 'word7 word31 of part 3', 'docs', '--json', '--explain', '--index'];
    const answer = JSON.parse(onOneCore([...query, 'one']).stdout);
    expect(answer.hits.length).toBeGreaterThan(3);
    const other = JSON.parse((await playground.run([...query, 'other'])).stdout);
    expect(comparable(answer)).toEqual(comparable(other));
  },
  60_000,
);

function textOf(seed: number): string {
  return Array.from({ length: 110 }, (_, at) => `word${(seed * 37 + at * at) % 997}`).join(' ');
}
