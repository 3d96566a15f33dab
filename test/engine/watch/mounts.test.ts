import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lookAtMounts } from '../../../src/engine/watch/mounts.ts';
import { mayMount, mount, unmount } from '../../support/disks.ts';

test.skipIf(!mayMount())('a file system is told from the one before it, whose number it is given', () => {
  const root = mkdtempSync(join(tmpdir(), 'docfuse-mounts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const drive = join(root, 'drive');
  mkdirSync(drive);
  const seen = new Set<string>();
  for (let time = 0; time < 4; time++) {
    mount(drive);
    seen.add(lookAtMounts(root));
    expect(lookAtMounts(root)).toBe([...seen].at(-1));
    unmount(drive);
  }
  expect(seen.size).toBe(4);
});
