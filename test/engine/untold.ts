/** Changes without an event, by what changes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenOptions } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import type { FreshIndex } from '../../src/engine/watch/keep-fresh.ts';
import { found } from './kept.ts';

/** For conditions that are waited for. */
export const LATE = { timeout: 25_000, interval: 20 };
const WORDS = ['sourdough', 'focaccia', 'brioche'] as const;
type Word = (typeof WORDS)[number];

export interface Scene {
  readonly work: string;
  readonly root: string;
  readonly fresh: FreshIndex;
  readonly failures: readonly string[];
}

export interface Source {
  /** Whether the index changes: that is seen before the next comparison of all files. @default false */
  readonly isOfIndex?: boolean;
  /** Makes documents that say sourdough; returns the root. */
  readonly make?: (work: string) => string;
  readonly options?: (work: string) => OpenOptions;
  readonly change: (scene: Scene) => void | Promise<void>;
  /** What documents say after that. */
  readonly after?: readonly Word[];
  /** Makes them say brioche: what changes afterwards is seen, too. */
  readonly again?: (scene: Scene) => void;
  /** What they say at the end. */
  readonly last?: readonly Word[];
}

export const SOURCES: Readonly<Record<string, Source>> = {
  'a root that is a link is pointed elsewhere': {
    make(work) {
      fill(join(work, 'first'), 'sourdough');
      symlinkSync('first', join(work, 'root'));
      return join(work, 'root');
    },
    change({ work, root }) {
      fill(join(work, 'second'), 'focaccia');
      symlinkSync('second', `${root}.new`);
      renameSync(`${root}.new`, root);
    },
  },
  'a link above a root is pointed elsewhere': {
    make(work) {
      fill(join(work, 'first/notes'), 'sourdough');
      symlinkSync('first', join(work, 'link'));
      return join(work, 'link/notes');
    },
    change({ work }) {
      fill(join(work, 'second/notes'), 'focaccia');
      rmSync(join(work, 'link'));
      symlinkSync('second', join(work, 'link'));
    },
  },
  'the folder above a root is renamed, and another one made': {
    make(work) {
      fill(join(work, 'above/notes'), 'sourdough');
      return join(work, 'above/notes');
    },
    change({ work, root }) {
      renameSync(join(work, 'above'), join(work, 'aside'));
      fill(root, 'focaccia');
    },
  },
  'a root is renamed, and another one made': {
    change({ work, root }) {
      renameSync(root, join(work, 'aside'));
      fill(root, 'focaccia');
    },
  },
  'a root is deleted, and another one made': {
    change({ root }) {
      rmSync(root, { recursive: true });
      fill(root, 'focaccia');
    },
  },
  'what a link leads to lies in a hidden folder': {
    make(work) {
      fill(join(work, 'notes/.data'), 'sourdough');
      symlinkSync('.data/bread.md', join(work, 'notes/bread.md'));
      return join(work, 'notes');
    },
    change: ({ root }) => fill(join(root, '.data'), 'focaccia'),
  },
  'what a link leads to has a name that is left out': {
    make(work) {
      mkdirSync(join(work, 'notes/garden'), { recursive: true });
      writeFileSync(join(work, 'notes/garden/README'), 'Today sourdough.\n');
      symlinkSync('garden/README', join(work, 'notes/bread.md'));
      return join(work, 'notes');
    },
    change: ({ root }) => writeFileSync(join(root, 'garden/README'), 'Today focaccia.\n'),
  },
  'a link leads to a hidden one, which is pointed elsewhere': {
    make(work) {
      fill(join(work, 'notes/.first'), 'sourdough');
      fill(join(work, 'notes/.second'), 'focaccia');
      symlinkSync('.first', join(work, 'notes/.current'));
      symlinkSync('.current', join(work, 'notes/current'));
      return join(work, 'notes');
    },
    change({ root }) {
      rmSync(join(root, '.current'));
      symlinkSync('.second', join(root, '.current'));
    },
    again: ({ root }) => fill(join(root, '.second'), 'brioche'),
  },
  'a root is a link to a file': {
    make(work) {
      fill(join(work, 'elsewhere'), 'sourdough');
      symlinkSync('elsewhere/bread.md', join(work, 'note.md'));
      return join(work, 'note.md');
    },
    change: ({ work }) => fill(join(work, 'elsewhere'), 'focaccia'),
    again({ work, root }) {
      fill(join(work, 'third'), 'brioche');
      rmSync(root);
      symlinkSync('third/bread.md', root);
    },
  },
  'an ignore file above the root': {
    make(work) {
      git(work, 'init');
      fill(join(work, 'notes'), 'sourdough');
      return join(work, 'notes');
    },
    change: ({ work }) => writeFileSync(join(work, '.gitignore'), 'bread.md\n'),
    after: [],
    again({ work, root }) {
      writeFileSync(join(root, 'bread.md'), 'Today brioche.\n');
      writeFileSync(join(work, '.gitignore'), '');
    },
  },
  'an ignore file that is a link to a hidden one': {
    make(work) {
      const root = join(work, 'notes');
      fill(root, 'sourdough');
      mkdirSync(join(root, '.rules'));
      writeFileSync(join(root, '.rules/shared'), '');
      symlinkSync('.rules/shared', join(root, '.gitignore'));
      return root;
    },
    change: ({ root }) => writeFileSync(join(root, '.rules/shared'), 'bread.md\n'),
    after: [],
    again({ root }) {
      writeFileSync(join(root, 'bread.md'), 'Today brioche.\n');
      writeFileSync(join(root, '.rules/shared'), '');
    },
  },
  'commits that git keeps no log of': {
    make(work) {
      const here = join(work, 'here');
      mkdirSync(here);
      git(here, 'init');
      git(here, 'config', 'core.logAllRefUpdates', 'false');
      commit(here, 'sourdough');
      return here;
    },
    options: (work) => commits(join(work, 'here')),
    change: ({ root }) => commit(root, 'focaccia'),
    after: ['sourdough', 'focaccia'],
    again: ({ root }) => commit(root, 'brioche'),
    last: WORDS,
  },
  'commits that are sent to a bare repository': {
    make(work) {
      mkdirSync(join(work, 'here'));
      git(join(work, 'here'), 'init');
      commit(join(work, 'here'), 'sourdough');
      git(work, 'clone', '--bare', 'here', 'bare');
      return join(work, 'bare');
    },
    options: (work) => commits(join(work, 'bare')),
    change({ work, root }) {
      commit(join(work, 'here'), 'focaccia');
      git(join(work, 'here'), 'push', root, 'HEAD');
    },
    after: ['sourdough', 'focaccia'],
    again({ root }) {
      git(root, 'pack-refs', '--all');
      git(root, 'update-ref', 'HEAD', 'HEAD^');
    },
    last: ['sourdough'],
  },
  'more at once than the system keeps events of': {
    change({ root }) {
      // The loop stands still meanwhile.
      execFileSync('sh', ['-c', 'for i in $(seq 17000); do : > $i.bin; done'], { cwd: root });
      fill(root, 'focaccia');
    },
  },
  'the index is deleted, and some of its documents change': {
    isOfIndex: true,
    make: (work) => {
      fill(join(work, 'notes/garden'), 'sourdough');
      return plain(work);
    },
    change({ work, root }) {
      rmSync(join(work, 'index'), { recursive: true });
      fill(root, 'focaccia');
    },
    after: ['sourdough', 'focaccia'],
    last: ['sourdough', 'brioche'],
  },
  'an older copy of the index is put in its place': {
    isOfIndex: true,
    async change({ work, root, fresh }) {
      cpSync(join(work, 'index'), join(work, 'copy'), { recursive: true });
      fill(root, 'focaccia');
      await fresh.sync({ embed: false });
      rmSync(join(work, 'index'), { recursive: true });
      renameSync(join(work, 'copy'), join(work, 'index'));
    },
  },
  'another process drops a document': {
    isOfIndex: true,
    async change({ work, root }) {
      const collections = `[[collections]]\npath = "${root}"\nname = "notes"\nexclude = ["bread.md"]\n`;
      writeFileSync(join(work, 'docfuse.toml'), collections);
      await using other = await open({ cwd: work, indexPath: join(work, 'index') });
      expect(await other.sync({ embed: false })).toMatchObject({ removed: 1 });
    },
    after: ['sourdough'],
  },
};

export function plain(work: string): string {
  fill(join(work, 'notes'), 'sourdough');
  return join(work, 'notes');
}

export function fill(folder: string, word: Word): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bread.md'), `# Bread\n\nToday ${word}.\n`);
}

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', folder, ...who, ...args], { stdio: 'pipe' });
}

function commit(folder: string, word: Word): void {
  git(folder, 'commit', '--allow-empty', '-m', `Bake ${word}`);
}

function commits(folder: string): OpenOptions {
  const config = join(folder, 'docfuse.toml');
  writeFileSync(config, `[[collections]]\npath = "${folder}"\nkind = "git"\nname = "history"\n`);
  return { config };
}

/** What can be found. */
export async function said(fresh: FreshIndex): Promise<readonly Word[]> {
  const hits = await Promise.all(WORDS.map((word) => found(fresh, word)));
  return WORDS.filter((_, place) => hits[place]!.length > 0);
}
