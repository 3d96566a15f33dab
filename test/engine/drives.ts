/** File systems that are mounted in a root, and go; only the superuser may mount one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { mount, unmount } from '../support/disks.ts';
import { fill, LATE, plain, type Source, said } from './untold.ts';

export const DRIVES: Readonly<Record<string, Source>> = {
  'a file system is mounted in the root': {
    make(work) {
      mkdirSync(join(work, 'notes/drive'), { recursive: true });
      return plain(work);
    },
    change({ root }) {
      mount(join(root, 'drive'));
      fill(join(root, 'drive'), 'focaccia');
    },
    after: ['sourdough', 'focaccia'],
    last: ['focaccia', 'brioche'],
  },
  'a file system in the root goes, and another one comes': {
    make(work) {
      mkdirSync(join(work, 'notes/drive'), { recursive: true });
      mount(join(work, 'notes/drive'));
      fill(join(work, 'notes/drive'), 'sourdough');
      return join(work, 'notes');
    },
    async change({ root, fresh }) {
      unmount(join(root, 'drive'));
      // It took nothing with it.
      expect(await fresh.sync({ embed: false })).toMatchObject({ removed: 0 });
      await vi.waitFor(async () => {
        const { skipped } = await fresh.sync({ embed: false });
        expect(skipped).toMatchObject([{ path: 'notes/drive', reason: 'unreadable' }]);
      }, LATE);
      expect(await said(fresh)).toEqual(['sourdough']);
      mount(join(root, 'drive'));
      fill(join(root, 'drive'), 'focaccia');
    },
    again: ({ root }) => fill(join(root, 'drive'), 'brioche'),
  },
  'a root goes with a file system in it, and comes back without': {
    make(work) {
      for (const folder of ['notes', 'others']) mkdirSync(join(work, folder));
      writeFileSync(join(work, 'others/tea.md'), '# Tea\n');
      mountTwo(join(work, 'notes'));
      fill(join(work, 'notes/drive'), 'sourdough');
      return join(work, 'notes');
    },
    options: (work) => ({ roots: [join(work, 'notes'), join(work, 'others')] }),
    async change({ root, fresh }) {
      for (const folder of [join(root, 'drive'), root]) unmount(folder);
      expect(await fresh.sync({ embed: false })).toMatchObject({ removed: 0 });
      mountTwo(root);
      unmount(join(root, 'drive'));
    },
    after: ['sourdough'],
    last: ['sourdough', 'brioche'],
  },
};

/** A file system with a document, and another one in it. */
function mountTwo(root: string): void {
  mount(root);
  writeFileSync(join(root, 'milk.md'), '# Milk\n');
  mkdirSync(join(root, 'drive'));
  mount(join(root, 'drive'));
}
