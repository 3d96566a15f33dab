import { expect, test } from 'vitest';
import { createFolderWatcher } from '../../../src/adapters/watch/folder-watcher.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

/** What is said of a folder on a file system of this type. */
function problemOn(type: number | undefined): string | undefined {
  const watcher = createFolderWatcher(
    () => {},
    () => type,
  );
  const problem = watcher.watch(folder);
  watcher.close();
  return problem;
}

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x786f4256, 'VirtualBox'],
  [0x0bd00bd0, 'Lustre'],
])('a file system that other machines write to is not relied on: %i', (type, name) => {
  expect(problemOn(type)).toBe(`${folder} is on ${name}, a file system that does not report every change.`);
});

test('one of this machine is, and one that the system does not name', () => {
  expect(problemOn(0xef53)).toBeUndefined();
  expect(problemOn(undefined)).toBeUndefined();
});
