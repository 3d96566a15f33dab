/** Disks made of memory, for tests of those that are full, read-only or taken away; only the superuser may mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'docfuse-mount-'));
  const mounted = tryMount(folder, '1m');
  if (mounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return mounted;
}

/** Mounts one in this folder; it is taken away when the test is over. */
export function mount(folder: string, size = '1m'): void {
  expect(tryMount(folder, size)).toBe(true);
  onTestFinished(() => unmount(folder));
}

/** The same in a folder of its own; the test is left out for whoever may mount none. */
export function mountDisk(size: string, context: TestContext): string {
  if (!mayMount()) return context.skip('only the superuser may mount a file system here');
  const folder = temporaryFolder();
  mount(folder, size);
  return folder;
}

/** @param options as `ro` or `size=64m` */
export function remount(folder: string, options: string): void {
  expect(spawnSync('mount', ['-o', `remount,${options}`, folder]).status).toBe(0);
}

/** Also while files on it are open. */
export function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}

function tryMount(folder: string, size: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0;
}
