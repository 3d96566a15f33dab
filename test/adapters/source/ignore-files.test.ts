/** Ignore files, held against git itself. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderSource } from '../../../src/adapters/source/folder-source.ts';
import { listed } from '../../contracts/source-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DOCUMENTS = [
  'a.md',
  'b.md',
  'x/a.md',
  'x/b.md',
  'x/y/a.md',
  'x/y/b.md',
  'x/y/z/a.md',
  'w/x/a.md',
  'Å ö/b.md',
];

/** A tree of documents with ignore files in it. */
function tree(ignoreFiles: Readonly<Record<string, string>>): string {
  return temporaryFolder({ ...Object.fromEntries(DOCUMENTS.map((path) => [path, ''])), ...ignoreFiles });
}

async function taken(root: string): Promise<readonly string[]> {
  return (await listed(createFolderSource({ root }))).files.map((file) => file.path);
}

function takenByGit(root: string): readonly string[] {
  const git = (...words: string[]) => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' });
  git('init', '--quiet');
  const listing = git('ls-files', '-z', '--others', '--exclude-standard', '--', '*.md');
  return listing.split('\0').filter((path) => path !== '');
}

const SAME_AS_GIT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a name at any depth': { '.gitignore': 'a.md' },
  'a name in this folder only': { '.gitignore': '/a.md' },
  'a path from the folder of the file': { 'x/.gitignore': 'y/a.md' },
  'a folder by name': { '.gitignore': 'x/' },
  'a folder rule does not hit a file': { '.gitignore': 'a.md/' },
  'two stars': { '.gitignore': 'x/**/a.md' },
  'a pattern with its exception': { '.gitignore': '*.md\n!b.md' },
  'no exception inside a folder that is left out': { '.gitignore': 'x/\n!x/b.md' },
  'a deeper file overrules': { '.gitignore': 'a.md', 'x/.gitignore': '!a.md' },
  'a deeper file overrules, and a still deeper one again': {
    '.gitignore': 'a.md',
    'x/.gitignore': '!a.md',
    'x/y/.gitignore': 'a.md',
  },
  'a deeper file brings a folder back': { '.gitignore': 'y/', 'x/.gitignore': '!y/' },
  'letters as written': { '.gitignore': 'A.md\nX/' },
  'comments, blank lines, escapes': { '.gitignore': '# a.md\n\n\\#x\n\\!b.md\nb.md  \r\n' },
  'characters beyond ASCII': { '.gitignore': 'Å ö/' },
  'a byte order mark': { '.gitignore': '\uFEFFa.md' },
};

describe('.gitignore', () => {
  for (const [title, ignoreFiles] of Object.entries(SAME_AS_GIT)) {
    it(`means what it means to git: ${title}`, async () => {
      const root = tree(ignoreFiles);
      const expected = takenByGit(root);
      expect(await taken(root)).toEqual(expected.toSorted());
    });
  }
});

describe('.ignore and .docfuseignore', () => {
  it('add to .gitignore', async () => {
    const root = tree({ '.gitignore': 'x/', '.ignore': 'w/', '.docfuseignore': 'b.md' });
    expect(await taken(root)).toEqual(['a.md']);
  });

  it('overrule it in the same folder, the project’s own file last', async () => {
    const root = tree({ '.gitignore': '*.md', '.ignore': '!a.md\nb.md', '.docfuseignore': '!/b.md' });
    expect(await taken(root)).toEqual(['a.md', 'b.md', 'w/x/a.md', 'x/a.md', 'x/y/a.md', 'x/y/z/a.md']);
  });
});

describe('folders above the root', () => {
  it('count up to the root of the repository', async () => {
    const outer = tree({ '.gitignore': '*.md', 'x/.git/HEAD': '', 'x/.gitignore': '/y/b.md\nz/' });
    expect(await taken(join(outer, 'x', 'y'))).toEqual(['a.md']);
  });

  it('do not count outside a repository', async () => {
    const outer = tree({ '.gitignore': '*.md' });
    expect(await taken(join(outer, 'x', 'y'))).toEqual(['a.md', 'b.md', 'z/a.md']);
  });

  it('do not hide a root that the user has named, but what is in it', async () => {
    const outer = tree({ '.git/HEAD': '', '.gitignore': 'x/\nb.md' });
    expect(await taken(outer)).toEqual(['a.md', 'w/x/a.md'].slice(0, 1));
    expect(await taken(join(outer, 'x', 'y'))).toEqual(['a.md', 'b.md', 'z/a.md']);
  });
});
