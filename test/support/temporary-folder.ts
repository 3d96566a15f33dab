/** Fresh folders for tests, removed when the tests are done. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { writeFiles } from './write-files.ts';

type Files = Parameters<typeof writeFiles>[1];

/** For one test. @param files content by path; folders are made as needed */
export function temporaryFolder(files: Files = {}): string {
  return makeFolder(files, onTestFinished);
}

/** For all tests of a file. Its other `afterAll` run before the folder is removed. */
export function sharedFolder(files: Files = {}): string {
  return makeFolder(files, afterAll);
}

function makeFolder(files: Files, whenDone: (remove: () => void) => void): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-test-')));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}
