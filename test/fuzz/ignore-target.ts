/** Fuzz target: ignore files, held against git itself. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type IgnoreLevel, verdict } from '../../src/adapters/source/ignore-files.ts';
import { ignoreRules } from '../../src/adapters/source/ignore-rules.ts';
import { separated } from '../support/separated.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const PIECES = [
  ...[
    'a',
    'b',
    'ab',
    '.md',
    'a',
    'b',
    '/',
    '/',
    '/',
    '*',
    '*',
    '**',
    '**/',
    '/**',
    '/**/',
    '***',
    '?',
    '!',
    '#',
  ],
  ...[
    '[ab]',
    '[!a]',
    '[^a]',
    '[a-b]',
    '[b-a]',
    '[]a]',
    '[a',
    '[[:alpha:]]',
    '[[:alpha:',
    '[[:x:]]',
    '[[:',
    '[a-]',
  ],
  ...['[\\a]', '[a/b]', '\\', '\\*', '\\a', '\\/', '\\ ', ' ', '\t', '\r', '-', ']'],
];
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((parts) => parts.join('')),
  },
  fc.constantFrom('*', '!*/', '/*', '*.md', '!a', 'a/', 'a/b', '**/a', 'a/**', '!a/b', ''),
  fc.constantFrom(...MARKS).map((mark) => mark.replaceAll(/[\n\0]/g, '')),
);
/** Two stars that are part of a name and end it mean what the manual says here, to git what its pointers compare to. */
const BY_ACCIDENT = /(?<!^!?|\/|\*)\*\*+(?=\\?\/|\s*$)|\*\*\\\//;
const file = fc
  .tuple(
    fc.constantFrom('', '', '', '\ufeff'),
    fc.array(
      line.filter((text) => !BY_ACCIDENT.test(text)),
      { maxLength: 6 },
    ),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([mark, lines, end]) => mark + lines.join(end));
const name = fc.constantFrom('a', 'b', 'ab', 'a.md', 'b.md', 'aab', '-', '[a', 'a ', '!a', '#', '*', '\\');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const inputs = fc.record({
  outer: file,
  inner: file,
  paths: fc.array(path, { minLength: 1, maxLength: 8 }),
});

const FOLDERS = ['x', 'y'] as const;

/** What is left out is what git leaves out, folders within folders. Git counts bytes, so that names are ASCII. */
export const ignoreTarget: FuzzTarget = {
  name: 'ignore-files',
  async run(options) {
    const root = mkdtempSync(join(tmpdir(), 'docfuse-fuzz-'));
    for (const folder of FOLDERS) mkdirSync(join(root, folder, 'a'), { recursive: true });
    const git = openGit(root);
    let tried = 0;
    try {
      await fuzzTarget('ignore-files', inputs, async ({ outer, inner, paths }) => {
        // Git reads the files of a folder again when it has been in another.
        const folder = FOLDERS[tried++ % 2]!;
        writeFileSync(join(root, folder, '.gitignore'), outer);
        writeFileSync(join(root, folder, 'a/.gitignore'), inner);
        const expected = await git.areIgnored(paths.map((each) => `${folder}/${each}`));
        return paths.flatMap((each, index) =>
          isLeftOut(outer, inner, each) === expected[index]
            ? []
            : [`git ${expected[index] ? 'ignores' : 'keeps'} ${each}`],
        );
      }).run(options);
    } finally {
      await git.close();
      rmSync(root, { recursive: true });
    }
  },
};

/** As a walk goes: into no folder that is left out. */
function isLeftOut(outer: string, inner: string, path: string): boolean {
  const read = (text: string) => ignoreRules(text.replace(/^\ufeff/, ''));
  const levels: IgnoreLevel[] = [{ folder: '', rules: read(outer) }];
  const names = path.split('/');
  return names.some((_, index) => {
    // The one folder that is there.
    const isFolder = index < names.length - 1 || path === 'a';
    const said = verdict(levels, names.slice(0, index + 1).join('/'), isFolder);
    if (index === 0 && names[0] === 'a') levels.push({ folder: 'a/', rules: read(inner) });
    return said === 'ignored';
  });
}

interface Git {
  areIgnored(paths: readonly string[]): Promise<readonly boolean[]>;
  close(): Promise<void>;
}

/** One process that is asked again and again: starting one takes longer than all else. */
function openGit(root: string): Git {
  execFileSync('git', ['-C', root, 'init', '--quiet']);
  const words = ['-C', root, '-c', 'core.ignoreCase=false', '-c', 'core.excludesFile='];
  const child = spawn('git', [
    ...words,
    'check-ignore',
    '--stdin',
    '-z',
    '--verbose',
    '--non-matching',
    '--no-index',
  ]);
  const field = separated(child.stdout, '\0');
  return {
    async areIgnored(paths) {
      child.stdin.write(paths.map((each) => `${each}\0`).join(''));
      const ignored: boolean[] = [];
      for (const _ of paths) {
        // Its file, its line, the pattern, the path; without a rule all but the path are empty.
        const [source, , pattern, path] = [await field(), await field(), await field(), await field()];
        if (path === undefined) throw new Error('git has ended');
        ignored.push(source !== '' && !pattern!.startsWith('!'));
      }
      return ignored;
    },
    async close() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}
