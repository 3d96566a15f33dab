import { spawn, spawnSync } from 'node:child_process';
// over 300 lines: one playground and its index serve all ways a hit is shown
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexFiles } from '../../../src/surfaces/operations/index-files.ts';
import { search } from '../../../src/surfaces/operations/search.ts';
import { status } from '../../../src/surfaces/operations/status.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { executeHere } from './execute-here.ts';

const FILES = {
  'docs/guide/tokens.md': [
    '---',
    'title: Access tokens',
    'tags: [security/tokens]',
    'status: draft',
    'date: 2026-01-10',
    '---',
    'Everything about access tokens and how the service checks them.',
    '',
    '## Rotating a token',
    '',
    'To rotate a token, open the settings page and press *Rotate*. The old token stays valid for one hour, so that',
    'every deployment can be changed without haste. 令牌轮换 is done the same way, and so is 🔑 rotation by script.',
    '',
  ].join('\n'),
  'docs/fruit.md': '# Fruit\n\nApples and \u001b[31mred\u001b[0m pears keep for weeks in a cool cellar.\n',
  'docs/code.md': '# Code\n\n```ts\nexport function getUserById(id: string) {}\n```\n',
};
const playground = createPlayground(FILES);
const QUERY = 'how do I rotate a token';
const find = (...args: string[]) => playground.runHere(['search', ...args]);

beforeAll(async () => {
  expect((await playground.runHere(['index', 'docs'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

describe('a hit on a terminal', () => {
  test('begins with path:line as seen from here, headings and score', async () => {
    const { code, stdout } = await find(QUERY, 'docs', '-n', '1');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(
      /^docs\/guide\/tokens\.md:\d+ {2}Access tokens( › .+)? {3}(0\.\d\d|1\.00) (high|fair|low)$/,
    );
    expect(stdout).toMatch(/^ {2}To rotate a token/m);
    expect(stdout.endsWith('\n\n')).toBe(true);
  });

  test('has the headings of its line; in JSON, those of the passage', async () => {
    const parts = 'Some words.\n\n## Finding\n\nMore words.\n\n## Losing\n\nThe zymurgy.\n';
    playground.write({ 'parts/a.md': `# Keys\n\n${parts}` });
    const asked = ['zymurgy', 'parts', '--mode', 'keyword'] as const;
    expect((await find(...asked)).stdout).toMatch(/^parts\/a\.md:11 {2}Keys › Losing {3}/);
    const [{ heading_path, line }] = JSON.parse((await find(...asked, '--json')).stdout).hits;
    expect([heading_path, line]).toEqual([['Keys'], 11]);
  });

  test('leads to the line of the passage, not of the section it is shown in', async () => {
    const first = async (...args: string[]) =>
      JSON.parse((await find(QUERY, 'docs', '-n', '1', '--json', ...args)).stdout).hits[0];
    const [section, passage] = [await first(), await first('--no-parents')];
    expect(section.matched_lines).toEqual([passage.start_line, passage.end_line]);
    expect(section.text).toContain(passage.text);
    expect(passage.matched_lines).toBeUndefined();
    const { stdout } = await find(QUERY, 'docs', '-n', '1');
    expect(stdout).toContain(`tokens.md:${passage.line} `);
  });

  test('names where else the same stands, as much as fits, and shows the line its lines begin on', async () => {
    const text = 'The lamplighter lights all lamps of the quay at dusk and puts them out at dawn.';
    const copies = Object.fromEntries(
      [1, 2, 3, 4].map((n) => [`twice/notes-of-the-lamplighter-${n}.md`, `# Quay\n\n${text}\n`]),
    );
    const filler = 'Nothing of note happens on this line of the harbour book.\n'.repeat(10);
    playground.write({ ...copies, 'deep/book.md': `# Harbour\n\n${filler}\n${text}\n\n${filler}` });
    const at = (width: number) =>
      playground.runHere(['search', 'lamplighter', 'twice'], { env: { COLUMNS: String(width) } });
    const wide = (await at(200)).stdout;
    expect(wide).toMatch(/^ {2}also in (twice\/notes-of-the-lamplighter-\d\.md:1(, )?){3}$/m);
    expect(wide.match(/^\S/gm)).toHaveLength(1);
    expect((await at(80)).stdout).toMatch(
      /^ {2}also in twice\/notes-of-the-lamplighter-\d\.md:1 and 2 more$/m,
    );

    const deep = ['lamplighter', 'deep', '--min-confidence', '0'] as const;
    const { snippet, start_line } = JSON.parse((await find(...deep, '--json')).stdout).hits[0];
    const line = `# Harbour\n\n${filler}`.split('\n').length + 1;
    expect([snippet.start_line, snippet.text.split('\n')[0]]).toEqual([line, text]);
    expect(start_line).toBeLessThan(line);
    expect((await find(...deep)).stdout).toContain(`deep/book.md:${line}  `);
  });

  test('shows the whole name asked for, however narrow the window', async () => {
    const calls = 'const user = get(id);\n'.repeat(8);
    playground.write({ 'names/a.md': `# Names\n\n\`\`\`ts\n${calls}getUserById(id);\n${calls}\`\`\`\n` });
    const { stdout } = await find('getUserById', 'names', '--mode', 'code');
    expect(stdout).toMatch(/^ {2}…?getUserById\(id\);/m);
  });

  test('begins with … inside a paragraph, and ends with … only before text that a reader sees', async () => {
    const names = (count: number) => 'alpha beta\n'.repeat(count);
    const definitions = '\n[alpha]: alpha.md "Alpha"\n';
    playground.write({ 'cut/a.md': `# Cut\n\nOf names,\n${names(40)}the zymurgy\n${definitions}` });
    const shown = async () => (await find('zymurgy', 'cut', '--mode', 'keyword')).stdout;
    expect(await shown()).toMatch(/^ {2}…alpha beta/m);
    expect(await shown()).toMatch(/ the zymurgy$/m);
    playground.write({ 'cut/a.md': `# Cut\n\n${'- alpha\n'.repeat(9)}- the zymurgy\n` });
    expect(await shown()).toMatch(/^ {2}- alpha\n {2}- alpha\n {2}- alpha\n {2}- the zymurgy$/m);
    playground.write({ 'cut/a.md': `# Cut\n\n${names(40)}Of some more.\nThe zymurgy\n${names(40)}` });
    expect(await shown()).toMatch(/^ {2}The zymurgy [a-z ]+/m);
  });

  test('shows no half of a tag where its four lines end or begin', async () => {
    const tagged =
      '$ <font color="#4E9A06">zymurgy</font> run <u style="text-decoration-style:solid">main</u>\n';
    playground.write({
      'tags/a.md': `# Tags\n\nOne.\n\nTwo.\n\nThree.\n\n\`\`\`console\n${tagged.repeat(3)}\`\`\`\n`,
    });
    for (let width = 30; width < 90; width += 5) {
      const env = { COLUMNS: String(width) };
      const { stdout } = await playground.runHere(['search', 'zymurgy', 'tags', '--mode', 'keyword'], {
        env,
      });
      expect(stdout.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
    }
  });

  test('is located from the working directory, not from the collection', async () => {
    const cwd = join(playground.folder, 'elsewhere');
    mkdirSync(cwd, { recursive: true });
    const search = [BIN, 'search', QUERY, '../docs'];
    const outcome = await executeHere(search, { cwd, env: playground.env });
    expect(outcome.stdout).toMatch(/^\.\.\/docs\/guide\/tokens\.md:\d+ /);
    const unsure = await executeHere([...search, '--min-confidence', '1'], { cwd, env: playground.env });
    expect(unsure.stderr).toMatch(/^Nothing here surely answers this: .* asked for\.$/m);
    expect(unsure.stdout).toBe('');
  });

  test('unsure ones stand below, dimmed, until three documents are shown', async () => {
    const search = [BIN, 'search', 'quantum chromodynamics', 'docs'];
    const { stdout, stderr } = await executeHere(search, { cwd: playground.folder, env: playground.env });
    expect(stdout).toMatch(/^Not sure that these answer it:\n\ndocs\/[\w/]+\.md:\d+ /);
    expect(stderr).toMatch(/^0 hits, 3 unsure in /m);
    const run = (...more: string[]) =>
      executeHere([...search, ...more], { cwd: playground.folder, env: playground.env });
    for (const form of ['--files', '--context', '--jsonl']) {
      const left = await run(form);
      expect([left.stdout, left.stderr]).toEqual([
        '',
        expect.stringContaining(`3 unsure passages left out; without ${form} a search shows them.\n`),
      ]);
    }
    expect((await run('--open', '9')).stderr).toContain(
      'Choose a number from 1 to 3: the search shows 0 hits, 3 unsure.\n',
    );
    expect((await run('--open', '--files')).stderr).toContain(
      'The search shows no hits. Leave out --open.\n',
    );
    const env = { ...playground.env, FORCE_COLOR: '1', NO_COLOR: '' };
    const colored = await executeHere(search, { cwd: playground.folder, env });
    const lines = colored.stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) expect(line).toMatch(/^\u001b\[2m.+\u001b\[22m$/);
  });

  test('fits 40, 80 and 200 columns', async () => {
    using own = createPlayground(FILES, { packagedModel: true });
    expect((await own.runHere(['index', 'docs'])).code).toBe(0);
    for (const width of [40, 80, 200]) {
      const { stdout } = await own.runHere(['search', QUERY, 'docs'], { env: { COLUMNS: String(width) } });
      for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      await expect(stdout).toMatchFileSnapshot(`../../pins/search-${width}.txt`);
    }
  });

  test('shows the best line, though a later section says the name, too', async () => {
    using own = createPlayground({
      'a.md':
        '# Options\n\n#### `fetch-timeout`\n\n* Default: 300000\n* Type: Number\n\n#### `other`\n\n* Default: 77\n\nSee fetch-timeout.\n',
    });
    const { stdout } = await own.runHere(['search', 'fetch-timeout default', '.', '--mode', 'keyword']);
    expect(stdout).toContain('fetch-timeout');
    expect(stdout).toContain('300000');
  });

  test('marks matched words bold only in colour', async () => {
    const plain = await find(QUERY, 'docs');
    expect(plain.stdout).not.toContain('\u001b');
    const colour = await playground.runHere(['search', QUERY, 'docs'], { env: { FORCE_COLOR: '1' } });
    expect(colour.stdout).toMatch(/\u001b\[1m(R|r)otat/);
    const refused = { FORCE_COLOR: '1', NO_COLOR: '1' };
    expect((await playground.runHere(['search', QUERY, 'docs'], { env: refused })).stdout).toBe(plain.stdout);
  });

  test('carries no escape sequence of the document', async () => {
    const { stdout } = await find('apples and pears', 'docs', '-n', '1');
    expect(stdout).toContain('Apples and ␛[31mred␛[0m pears');
    expect(stdout).not.toContain('\u001b');
  });

  test('explains its score as an indented tree', async () => {
    const { stdout } = await find(QUERY, 'docs', '-n', '1', '--explain');
    expect(stdout).toMatch(/^ {2}0\.\d+ {2}score$/m);
    expect(stdout).toMatch(/^ {6}\S+ × \S+ {2}keyword$/m);
  });

  test('is preceded, when explained, by what was done with the query; also where nothing is found', async () => {
    const { stdout } = await find(QUERY, 'docs', '--explain', '-n', '1');
    const [type, weights, left] = stdout.split('\n');
    expect(type).toBe('exploratory query (question word)');
    expect(weights).toMatch(/^weights: semantic 0\.\d\d · subject 0\.\d\d · keyword 0\.\d\d · /);
    expect(left).toMatch(
      /^\d candidates → \d above the threshold → \d after exact .+ → \d after near .+ → \d after duplicates in meaning → \d after .+ → \d as larger sections → 1 shown$/,
    );
    const nothing = await find('quarterly tax forms', 'docs', '--explain', '--min-confidence', '1');
    expect(nothing.stdout).toMatch(
      /^exploratory query \(nothing in it points to another kind\)\nweights: .+\n\d candidates → 0 above the threshold → /,
    );
    const listing = await find('tag:security', 'docs', '--explain');
    expect(listing.stdout).toMatch(/^\d of \d passages pass the filters\n1 candidate → /);
    const narrow = await find(`${QUERY} tag:security`, 'docs', '--explain');
    expect(narrow.stdout).toMatch(/^exploratory query .+\n\d of \d passages pass the filters\nweights: /);
  });

  test('names the language of the code it shows', async () => {
    const { stdout } = await find('getUserById', 'docs', '-n', '1');
    expect(stdout).toMatch(/^docs\/code\.md:\d {2}Code {3}\d\.\d\d \w+ {2}ts$/m);
  });
});

describe('around the hits', () => {
  test('a summary goes to stderr, and --quiet leaves it out', async () => {
    expect((await find(QUERY, 'docs')).stderr).toMatch(/^1 hit, 2 unsure in [\d,]+ ms · 3 documents\n$/);
    const narrowed = await find(QUERY, 'docs', '--path', 'docs/guide/tokens.md');
    expect(narrowed.stderr).toMatch(/^1 hit in [\d,]+ ms · \d+ of \d+ passages\n$/);
    expect((await find(QUERY, 'docs', '--quiet')).stderr).toBe('');
  });

  test('no hit is no failure', async () => {
    const { code, stdout, stderr } = await find('zzyzx', 'docs', '--mode', 'keyword');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^0 hits in /m);
  });

  test('an empty query is answered by none, and says why', async () => {
    const { code, stdout, stderr } = await find('', 'docs');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^The query holds no words to search for\.\n0 hits in /);
  });

  test('--files prints each path once and nothing else', async () => {
    const { stdout } = await find(QUERY, 'docs', '--files', '--min-confidence', '0');
    const paths = stdout.trimEnd().split('\n');
    expect(paths[0]).toBe('docs/guide/tokens.md');
    expect(new Set(paths)).toEqual(new Set(['docs/guide/tokens.md', 'docs/fruit.md', 'docs/code.md']));
    expect(paths).toHaveLength(3);
  });

  test('ends quietly when the reader goes away', async () => {
    const shell = `"${process.execPath}" "${BIN}" search token docs --json --explain | true`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', shell], {
      cwd: playground.folder,
      env: playground.env,
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.on('close', resolve);
    expect([await promise, stderr]).toEqual([0, '']);
    // Nobody reads the notes: the answer is there all the same.
    const deaf = `"${process.execPath}" "${BIN}" search token docs --files --mode keyword 2> >(exec true)`;
    const heard = spawnSync('bash', ['-c', deaf], { cwd: playground.folder, env: playground.env });
    expect([heard.status, String(heard.stdout)]).toEqual([0, 'docs/guide/tokens.md\n']);
  });
});

describe('filters', () => {
  const files = async (...args: string[]) =>
    (await find(QUERY, 'docs', '--files', '--min-confidence', '0', ...args)).stdout.trimEnd().split('\n');

  test.each([
    [['--tag', 'security'], ['docs/guide/tokens.md']],
    [['--path', 'guide'], ['docs/guide/tokens.md']],
    [['--where', 'status=draft'], ['docs/guide/tokens.md']],
    [['--before', '2026-02-01'], ['docs/guide/tokens.md']],
    [['--lang', 'ts'], ['docs/code.md']],
    [['--exclude', '**/tokens.md', '--exclude', 'code.md'], ['docs/fruit.md']],
    [['--collection', 'nowhere'], ['']],
  ])('%j', async (args, expected) => {
    expect(await files(...args)).toEqual(expected);
  });
});

describe('--json', () => {
  test('search answers in its output schema', async () => {
    const { stdout, stderr } = await find(QUERY, 'docs', '--json', '--explain');
    const answer = search.output.parse(JSON.parse(stdout));
    expect(answer.hits[0]).toMatchObject({ rank: 1, collection: 'docs', path: 'guide/tokens.md' });
    expect(answer.hits[0]?.explanation?.parts).not.toHaveLength(0);
    expect(stderr).toBe('');
  });

  test('index and status answer in theirs', async () => {
    const report = indexFiles.output.parse(
      JSON.parse((await playground.runHere(['index', 'docs', '--json'])).stdout),
    );
    expect(report).toMatchObject({ added: 0, unchanged: 3, embedded: 0, dry_run: false });
    const state = status.output.parse(
      JSON.parse((await playground.runHere(['status', 'docs', '--json'])).stdout),
    );
    expect(state.index).toMatchObject({ documents: 3, stale: false });
  });

  test('settings of this call change the answer', async () => {
    const { stdout } = await find(
      QUERY,
      'docs',
      '--json',
      '--set',
      'top_n=1',
      '--set',
      'search.min_confidence=0',
    );
    expect(JSON.parse(stdout).hits).toHaveLength(1);
  });
});

test('--no-sync answers from the index as it is, and search without it from the files as they are', async () => {
  playground.write({ 'fresh/a.md': '# First\n\nAbout lanterns.\n' });
  expect((await find('lanterns', 'fresh', '--no-sync', '--files')).stdout).toBe('');
  expect((await find('lanterns', 'fresh', '--files')).stdout).toBe('fresh/a.md\n');
});

test('--no-wait answers from words and says so; --no-embed leaves vectors for later', async () => {
  playground.write({ 'words/a.md': '# First\n\nAbout lanterns.\n' });
  await playground.runHere(['index', 'words', '--no-embed']);
  const { stdout, stderr } = await find('lanterns', 'words', '--no-wait', '--files', '--min-confidence', '0');
  expect(stdout).toBe('words/a.md\n');
  expect(stderr).toMatch(/^0 of 1 passages have vectors so far.*\n1 file in /);
  expect((await playground.runHere(['index', 'words'])).stdout).toContain('1 passage embedded');
});

test('--dry-run says what would be done and does not do it', async () => {
  playground.write({ 'dry/a.md': '# First\n' });
  expect((await playground.runHere(['index', 'dry', '--dry-run'])).stdout).toBe(
    'Dry run: 1 added. Nothing was changed.\n',
  );
  expect(JSON.parse((await playground.runHere(['status', 'dry', '--json'])).stdout).index.documents).toBe(0);
  await playground.runHere(['index', 'dry', '--no-embed']);
  const again = await playground.runHere(['index', 'dry', '--dry-run', '--rebuild']);
  expect(again.stdout).toBe('Dry run: 1 read into a new index. Nothing was changed.\n');
});

describe('--context', () => {
  test('prints whole passages under numbered citations, and nothing else on stdout', async () => {
    const { code, stdout } = await find(QUERY, 'docs', '--context', '--min-confidence', '0');
    expect(code).toBe(0);
    const citations = stdout.match(/^\[\d+\] .*$/gm);
    expect(citations?.[0]).toMatch(/^\[1\] docs\/guide\/tokens\.md:\d+-\d+ {2}Access tokens/);
    expect(citations?.length).toBeGreaterThan(1);
    expect(stdout).toContain('every deployment can be changed without haste.');
    expect(stdout).not.toContain('\u001b');
  });

  test('prints nothing on stdout when nothing was found, and is refused beside --files and --json', async () => {
    const nothing = await find('tag:nowhere token', 'docs', '--context');
    expect([nothing.code, nothing.stdout]).toEqual([0, '']);
    expect((await find(QUERY, 'docs', '--context', '--files')).code).toBe(2);
    for (const form of ['--context', '--files']) {
      const { code, stdout, stderr } = await find(QUERY, 'docs', form, '--json');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`Option '${form}' cannot be used with option '--json'.`);
    }
  });
});
