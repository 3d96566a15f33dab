import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({ 'docs/a b.md': '', 'dump/c.md': '', 'docfuse.toml': '' });
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    playground.write({ [shell]: (await playground.run(['completion', shell])).stdout });
  }
});
afterAll(() => playground[Symbol.dispose]());

function ask(shell: string, script: string): string[] {
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { cwd: playground.folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

describe('bash', () => {
  /** Words as bash splits them, the last one being completed. */
  const complete = (...words: string[]) =>
    ask(
      'bash',
      `source ./bash; source ./bash
       [[ $(complete -p docfuse) == *_docfuse* ]] || exit 1
       COMP_WORDS=(docfuse ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
       _docfuse 2> >(grep -v compopt >&2); printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  test.each([
    [['se'], ['search', 'serve']],
    [
      [''],
      [
        'search',
        'ask',
        'index',
        'indexes',
        'read',
        'related',
        'list',
        'graph',
        'map',
        'export',
        'formats',
        'status',
        'audit',
        'models',
        'doctor',
        'config',
        'judge',
        'eval',
        'tune',
        'serve',
        'open',
        'mcp',
        'worker',
        'version',
        'completion',
        'help',
        'add',
        'sites',
      ],
    ],
    [['list', 't'], ['tags']],
    [
      ['models', ''],
      ['list', 'pull', 'rm', 'path'],
    ],
    [['models', 'rm', ''], []],
    [['models', 'pull', '--f'], ['--file']],
    [['models', '--f'], []],
    [['mcp', '--con'], ['--config']],
    [
      ['mcp', 'install', '--c'],
      ['--client', '--color', '--config'],
    ],
    [['list', 'docs', 't'], []],
    [['list', 'tags', '--cu'], []],
    [['list', '--json', 'tags', '--ta'], ['--tag']],
    [['completion', 'bash', ''], []],
    [['search', 'list', '--cur'], []],
    [
      ['help', 'models', ''],
      ['list', 'pull', 'rm', 'path'],
    ],
    [['help', 'search', ''], []],
    [
      ['config', 'init', 'do'],
      ['docs', 'docfuse.toml'],
    ],
    [['search', '--mi'], ['--min-confidence']],
    [
      ['search', '--mode', ''],
      ['hybrid', 'semantic', 'keyword', 'code'],
    ],
    [['search', '--mode', '=', 'k'], ['keyword']],
    [['search', '--mode=k'], ['--mode=keyword']],
    [['--config=docf'], ['--config=docfuse.toml']],
    [['--index', '=', 'somewhere', 'search', '--mode', 'h'], ['hybrid']],
    [['eval', 'set', '--modes', 'k'], ['keyword']],
    [['--index', 'somewhere', 'search', '--mode', 'h'], ['hybrid']],
    [
      ['search', 'query', 'd'],
      ['docfuse.toml', 'docs', 'dump'],
    ],
    [['search', 'query', 'docs/a'], ['docs/a b.md']],
    [['--config', 'docf'], ['docfuse.toml']],
    [['search', '--tag', 'd'], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('%j', (words, expected) => {
    expect(complete(...words).sort()).toEqual([...expected].sort());
  });
});

describe.runIf(has('fish'))('fish (only if it is installed)', () => {
  const complete = (line: string) =>
    ask('fish', `source ./fish; complete -C '${line}'`).map((each) => each.split('\t')[0]);

  test.each([
    ['docfuse se', ['search', 'serve']],
    ['docfuse search --min', ['--min-confidence']],
    ['docfuse search --mode k', ['keyword']],
    ['docfuse search --mode=k', ['--mode=keyword']],
    ['docfuse eval set --modes s', ['semantic']],
    ['docfuse search query du', ['dump/']],
    ['docfuse completion b', ['bash']],
    ['docfuse list ta', ['tags']],
    ['docfuse models ', ['list', 'path', 'pull', 'rm']],
    ['docfuse models rm ', []],
    ['docfuse models pull --f', ['--file']],
    ['docfuse models --f', []],
    ['docfuse mcp --con', ['--config']],
    ['docfuse mcp install --c', ['--client', '--color', '--config']],
    ['docfuse list docs ta', []],
    ['docfuse list tags --cu', []],
    ['docfuse list --json tags --ta', ['--tag']],
    ['docfuse completion bash ', []],
    ['docfuse --index rm search list --cur', []],
    ['docfuse help models ', ['list', 'path', 'pull', 'rm']],
    ['docfuse help search ', []],
    ['docfuse config init do', ['docfuse.toml', 'docs/']],
  ])('%j', (line, expected) => {
    expect(complete(line)).toEqual(expected);
  });
});

/** Asks an interactive zsh in a terminal of its own; each line given is typed, then Tab, and what was offered is printed. */
const ZSH_ASK = String.raw`
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked 'source ./zshrc'
for line in "$@"; do
  rm -f answer
  zpty -w -n asked $'\x15'"$line"$'\t'
  repeat 500; do [[ -e answer ]] && break; sleep 0.02; done
  print -r -- "$line: $(<answer)"
done
zpty -d asked`;

/** Notes what completion adds; calls that only store or filter words go through. */
const ZSHRC = String.raw`
autoload -Uz compinit && compinit -u -D
source ./zsh
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -O found "$@"
  offered+=($found)
  builtin compadd "$@"
}
ask() {
  typeset -ga offered=()
  zle complete-word
  print -r -- \${(j:|:)offered} > answer.new && command mv answer.new answer
}
zle -N ask
bindkey '^I' ask
bindkey '^U' kill-whole-line
`.replaceAll('\\$', '$');

const noZsh = spawnSync('zsh', ['-fc', 'zmodload zsh/zpty']).status === 0 ? '' : ': no zsh with zpty here';

test.skipIf(noZsh !== '')(`zsh offers what may follow${noZsh}`, () => {
  const expected = {
    'docfuse se': 'search|serve',
    'docfuse search --min': '--min-confidence',
    'docfuse search --mode k': 'keyword',
    'docfuse search --mode=k': 'keyword',
    'docfuse --index somewhere search --mode s': 'semantic',
    'docfuse eval set --modes s': 'semantic',
    'docfuse search query du': 'dump',
    'docfuse search query docs/a': 'a\\ b.md',
    'docfuse --config docf': 'docfuse.toml',
    'docfuse completion b': 'bash',
    'docfuse list ta': 'tags',
    'docfuse models ': 'list|pull|rm|path',
    'docfuse models rm ': '',
    'docfuse models pull --f': '--file',
    'docfuse models --f': '',
    'docfuse mcp --con': '--config',
    'docfuse mcp install --c': '--client|--config|--color',
    'docfuse list docs ta': '',
    'docfuse list docs du': 'dump',
    'docfuse list tags --cu': '',
    'docfuse list --json tags --ta': '--tag',
    'docfuse list tags du': 'dump',
    'docfuse completion bash ': '',
    'docfuse search list --cur': '',
    'docfuse help models ': 'list|pull|rm|path',
    'docfuse help search ': '',
    'docfuse help mo': 'models',
  };
  playground.write({ zshrc: ZSHRC, 'ask.zsh': ZSH_ASK });
  const { stdout } = spawnSync('zsh', ['-f', 'ask.zsh', ...Object.keys(expected)], {
    cwd: playground.folder,
    env: { ...playground.env, TERM: 'xterm' },
    encoding: 'utf8',
  });
  const lines = Object.entries(expected).map(([line, offered]) => `${line}: ${offered}`);
  expect(stdout.trim().split('\n')).toEqual(lines);
});
