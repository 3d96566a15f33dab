import { afterAll, describe, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({ 'docs/a.md': '# Alpha\n' });
afterAll(() => playground[Symbol.dispose]());

describe('wrong usage ends with 2, says what is wrong and what was perhaps meant', () => {
  test.each([
    [['serch', 'q'], "Unknown command 'serch'.", 'Did you mean docfuse search q?'],
    [
      ['serach', 'rotate keys'],
      "Unknown command 'serach'.",
      'Did you mean docfuse search "rotate keys"? To search for it: docfuse search "serach rotate keys".',
    ],
    [['help', 'read', 'list'], "Unknown command 'list'.", 'docfuse read --help explains it.'],
    [['help', 'nosuch'], "Unknown command 'nosuch'.", 'docfuse --help lists all of them.'],
    [['help', 'serch'], "Unknown command 'serch'.", 'Did you mean docfuse search?'],
    [['help', 'models', 'remove'], "Unknown command 'remove'.", 'docfuse models --help lists all of them.'],
    [['list', 'tags', '--sort', 'tag'], "Unknown option '--sort'.", 'docfuse list tags --help'],
    [['tags'], "Unknown command 'tags'.", 'Did you mean docfuse list tags?'],
    [['models', 'ls'], "Unknown command 'ls'.", 'Did you mean docfuse models list?'],
    [
      ['search', '--reload'],
      "Unknown option '--reload'.",
      'search --help lists what is allowed. To search for it, write it after --: docfuse search -- "--reload".',
    ],
    [['search', 'q', '--no-embed'], "Unknown option '--no-embed'.", 'Did you mean --no-wait?'],
    [
      ['search', 'q', '--mode', 'words'],
      'is not one of hybrid, semantic, keyword, code (nearest: keyword).',
      '--help',
    ],
    [['judge', 'q', '--no-embed'], "Unknown option '--no-embed'.", 'docfuse judge --help lists what'],
    [['search', 'q', '--mod', 'keyword'], "Unknown option '--mod'", 'Did you mean --mode?'],
    [['search'], "Missing required argument 'query'", 'docfuse search --help lists what is allowed.'],
    [
      ['search', '-xyz'],
      "Unknown option '-xyz'",
      'quote the whole query, such as docfuse search "WORDS -xyz". To search for that word: docfuse search -- "-xyz".',
    ],
    [['search', 'rotate', '-draft', 'docs'], "Unknown option '-draft'", 'docfuse search "WORDS -draft".'],
    [
      ['search', '-draft rotate', 'docs'],
      "Unknown option '-draft rotate'",
      'Put a query that begins with - after --, and options before it: docfuse search -- "-draft rotate" docs.',
    ],
    [
      ['search', '-node express'],
      '--top-n: “ode express” is not a number.',
      'docfuse search -- "-node express".',
    ],
    [['ask', '-"two words" x'], 'Unknown option', `docfuse ask -- '-"two words" x'.`],
    [
      ['search', 'q', '--files', '--explain'],
      "Option '--files' cannot be used with option '--explain'.",
      '--help',
    ],
    [['search', 'q', '--context', '--explain'], "Option '--context' cannot be used", '--help'],
    [['search', 'q', '-n', 'many'], '--top-n: “many” is not a number.', '--help'],
    [['search', 'q', '-n', '0'], '--top-n: 0 is less than 1.', 'docfuse search --help'],
    [['search', 'q', '-n', '101'], '--top-n: 101 is more than 100.', 'docfuse search --help'],
    [['search', 'q', '--min-confidence', '2'], '--min-confidence: ', 'docfuse search --help'],
    [
      ['search', 'q', '--mode', 'hybird'],
      '--mode: “hybird” is not one of hybrid, semantic, keyword, code (nearest: hybrid).',
      'docfuse search --help',
    ],
    [
      ['search', 'q', '--after', 'yesterday'],
      '--after: “yesterday” is neither a date such as 2026-01-31 nor a number of days',
      '--help',
    ],
    [
      ['search', 'q', '--set', 'search.fusoin=rrf'],
      'no setting search.fusoin',
      'Did you mean search.fusion?',
    ],
    [
      ['search', 'q', '--set', 'fusion=rff'],
      '--set search.fusion: “rff” is not one of convex, rrf (nearest: rrf).',
      'How to merge rankings',
    ],
    [['config', '--set', 'x'], 'There is no setting x.', 'docfuse config lists all settings.'],
    [['config', '--set', 'a=b'], 'There is no setting a.', 'docfuse config lists all settings.'],
    [['config', '--set', 'calib=b'], 'There is no setting calib.', 'Did you mean calibration?'],
    [['eval', 'a', 'b', '--run', 'x.trec'], 'belong to one set', 'Name one set.'],
    [['eval', 'a', '--modes', 'hybrid,fuzzy'], '--modes: ', 'docfuse eval --help'],
    [['tune', 'a', 'b', '--docs', 'x'], 'is for one set', 'Name one set.'],
    [['tune', 'a', '--folds', '1'], '--folds: ', 'docfuse tune --help'],
    [['mcp', 'install'], '--client is missing', 'docfuse mcp install --help'],
    [['serve', '--bogus'], "Unknown option '--bogus'", 'docfuse serve --help lists what is allowed.'],
    [['serve', '-bogus'], "Unknown option '-bogus'", 'docfuse serve --help lists what is allowed.'],
    [['serve', '--prot', '1'], "Unknown option '--prot'", 'Did you mean --port?'],
    [['serve', '--port', 'abc'], '--port: “abc” is not a port, 0–65535.', '--help'],
    [['completion', 'tcsh'], 'SHELL: “tcsh” is not one of bash, zsh, fish.', '--help'],
  ])('docfuse %j', async (args, message, remedy) => {
    const { code, stdout, stderr } = await playground.runHere(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(message);
    expect(lines[1]).toContain(remedy);
  });
});

test('a query that begins with - is searched as it is after --', async () => {
  const search = ['search', '--mode', 'keyword', '--min-confidence', '0', '--', '-gone alpha', 'docs'];
  const { code, stdout } = await playground.runHere(search);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^docs\/a\.md:1 /)]);
});

test('under --json an error is a problem document on stderr', async () => {
  const { code, stdout, stderr } = await playground.runHere(['search', 'q', '-n', '0', '--json']);
  expect([code, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({
    type: 'urn:docfuse:error:usage',
    title: 'Wrong usage',
    status: 400,
    detail: expect.stringContaining('--top-n'),
    code: 'usage',
    remedy: expect.any(String),
  });
});

test('a stack is printed only with --debug', async () => {
  const args = ['search', 'q', 'nowhere'];
  expect((await playground.runHere(args)).stderr).not.toContain('    at ');
  expect((await playground.runHere([...args, '--debug'])).stderr).toContain('    at ');
});
