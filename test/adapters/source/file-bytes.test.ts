/** Bytes of a file that is closed while nobody reads it. */
import { appendFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openFileBytes, slice } from '../../../src/adapters/source/file-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const TEXT = `${'x'.repeat(100_000)}end`;

it('are read across a pause, but not from another state of the file', async () => {
  const file = join(temporaryFolder({ 'a.bin': TEXT }), 'a.bin');
  const bytes = await openFileBytes(file);
  expect((await bytes.read(100_000, 3)).toString()).toBe('end');
  vi.advanceTimersByTime(2_000);
  expect((await bytes.read(0, 90_000)).toString()).toBe('x'.repeat(90_000));
  vi.advanceTimersByTime(2_000);
  appendFileSync(file, 'more');
  await expect(bytes.read(0, 3)).rejects.toThrow('has changed');
});

it.runIf(process.platform === 'linux')('keep the file open for two seconds after the last use', async () => {
  const file = join(temporaryFolder({ 'a.bin': TEXT }), 'a.bin');
  const isOpen = () => readdirSync('/proc/self/fd').some((each) => linkOf(`/proc/self/fd/${each}`) === file);
  const bytes = await openFileBytes(file);
  vi.advanceTimersByTime(1_999);
  await bytes.read(0, 1);
  vi.advanceTimersByTime(1_999);
  expect(isOpen()).toBe(true);
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => expect(isOpen()).toBe(false));
});

it('of a part are not those around it', async () => {
  const bytes = await openFileBytes(join(temporaryFolder({ 'a.bin': 'abcdef' }), 'a.bin'));
  const part = slice(bytes, 2, 2);
  expect((await part.read(0, 2)).toString()).toBe('cd');
  for (const [position, length] of [
    [0, 3],
    [2, 1],
    [-1, 1],
  ] as const)
    await expect(part.read(position, length)).rejects.toThrow('ends too early');
});

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
