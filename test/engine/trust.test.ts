/** What a configuration file may decide that was found, and that nobody named: all but what is sent where, and who is let in. */
import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OpenOptions } from '../../src/engine/api.ts';
import { loadConfig } from '../../src/engine/config/config.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { userConfigFolder } from '../../src/engine/config/places.ts';
import { requireTrusted } from '../../src/engine/config/refused-settings.ts';
import { isTrustedFile } from '../../src/engine/config/trusted-folder.ts';
import { openAnswerer } from '../../src/engine/open-models.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-trust-')));
const project = join(work, 'clone');
mkdirSync(join(project, 'docs'), { recursive: true });
afterAll(() => rmSync(work, { recursive: true }));
beforeEach(() => {
  vi.stubEnv('HOME', work);
  vi.stubEnv('APPDATA', join(work, 'user'));
  vi.stubEnv('XDG_CONFIG_HOME', join(work, 'user'));
  mkdirSync(userConfigFolder(), { recursive: true });
  writeOwn('');
});
afterEach(() => vi.unstubAllEnvs());

const own = () => join(userConfigFolder(), 'docfuse.toml');
const writeOwn = (toml: string) => writeFileSync(own(), toml);

function load(toml: string, options: OpenOptions = {}) {
  writeFileSync(join(project, 'docfuse.toml'), toml);
  return loadConfig({ cwd: project, ...options });
}

const SERVICE = '[embedding]\nprovider = "openai"\nbase_url = "https://evil.example/v1"\n';

const STAY_HERE =
  ' If not, search on this machine with --set embedding.provider=local --set embedding.model=bge-small-en-v1.5.';

test.each([
  [
    'embedding',
    SERVICE,
    ':3',
    'send documents and questions to evil.example, with the key in OPENAI_API_KEY',
  ],
  [
    'embedding',
    '[embedding]\nprovider = "openai"\nmodel = "m"\napi_key_env = "MY_SECRET"\nbase_url = "http://127.0.0.1.evil.example:80/v1"\n',
    ':5',
    'send documents and questions to 127.0.0.1.evil.example, with the key in MY_SECRET',
  ],
  ['embedding', SERVICE.replace('evil.example', '127.0.0.1@evil.example'), ':3', 'to evil.example,'],
  ['embedding', SERVICE.replace('https://evil.example/v1', 'nonsense'), ':3', 'to nonsense,'],
  [
    'answer',
    '[answer]\nbase_url = "http://10.0.0.7:1/v1"\nmodel = "m"\n',
    ':2',
    'send questions and passages to 10.0.0.7:1, with the key in OPENAI_API_KEY',
  ],
  ['server', '[server]\nhost = "0.0.0.0"\n', ':2', 'serve other machines at 0.0.0.0'],
  ['server', '[server]\nport = 1\nallowed_hosts = ["evil.example"]\n', ':3', 'by the name evil.example'],
  ['server', '[server]\nallowed_origins = ["https://evil.example"]\n', ':2', 'pages of https://evil.example'],
  ['server', '[server]\ntoken_env = "LANG"\n', ':2', 'from LANG'],
] as const)('%s: %j is refused with its line and both remedies', (section, toml, line, asks) => {
  const config = load(toml);
  const file = join(project, 'docfuse.toml');
  const error = expect.objectContaining({
    code: 'config',
    message: expect.stringMatching(new RegExp(`^${file}${line}, .*${asks}.*\\.$`)),
    remedy: `If you want that, write trust = ["${project}"] at the top of ${own()}, or name this file yourself with --config ${file}.${section === 'embedding' ? STAY_HERE : ''}`,
  });
  expect(() => requireTrusted(config, section)).toThrow(error);
  const needs = {
    embedding: () => locateIndex({ cwd: project }),
    answer: () => openAnswerer({ cwd: project }),
    server: () => requireTrusted(loadConfig({ cwd: project }), 'server'),
  };
  expect(needs[section]).toThrow(error);
  expect(config.refusals).toHaveLength(1);
  expect(load(toml, { config: file }).refusals).toEqual([]);
  writeOwn(`trust = ["${project}"]\n`);
  expect(load(toml).refusals).toEqual([]);
  writeOwn('# mine\ntrust = ["/elsewhere"]\n');
  expect(load(toml).refusals[0]?.remedy).toContain(`add "${project}" to trust (${own()}:2)`);
});

describe('nothing is refused', () => {
  test.each([
    [
      'a service on this machine, with a key',
      `${SERVICE.replace('https://evil.example', 'http://127.0.0.1:1')}api_key_env = "MY_SECRET"\n`,
    ],
    ['the same by its name', SERVICE.replace('https://evil.example', 'http://LOCALHOST:1')],
    ['the same by IPv6', SERVICE.replace('https://evil.example', 'http://[::1]:1')],
    ['a service that is not used', SERVICE.replace('openai', 'local')],
    ['settings that send nothing', '[search]\ntop_n = 3\n[server]\nport = 1\nhost = "localhost"\n'],
    ['a model', '[answer]\nmodel = "m"\n[embedding]\nmodel = "m"\ndimensions = 3\n'],
  ])('for %s', (_, toml) => {
    expect(load(toml).refusals).toEqual([]);
  });

  test('where the user outweighs the file by environment or call', () => {
    const settings = { embedding: { base_url: 'https://mine.example', provider: 'openai' } } as const;
    expect(load(SERVICE, { settings }).refusals).toEqual([]);
    const here = { embedding: { provider: 'local', model: 'bge-small-en-v1.5' } } as const;
    expect(load(SERVICE, { settings: here }).refusals).toEqual([]);
    vi.stubEnv('DOCFUSE_EMBEDDING_PROVIDER', 'local');
    expect(load(SERVICE).refusals).toEqual([]);
  });
});

test('the service of the user gets neither documents nor a key because a file that was found says so', () => {
  writeOwn('[embedding]\nbase_url = "https://mine.example/v1"\n');
  expect(load('[embedding]\nprovider = "openai"\n').refusals).toMatchObject([{ section: 'embedding' }]);
  writeOwn('[embedding]\nbase_url = "https://mine.example/v1"\nprovider = "openai"\n');
  expect(load('[embedding]\napi_key_env = "MY_SECRET"\n').refusals).toMatchObject([
    { message: expect.stringContaining('to mine.example, with the key in MY_SECRET') },
  ]);
  expect(load('[search]\ntop_n = 3\n').refusals).toEqual([]);
});

test('trust is said by the user alone, and of folders', () => {
  const toml = `trust = ["${project}"]\n${SERVICE}`;
  expect(() => load(toml)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('docfuse.toml:1: only your own file'),
      remedy: expect.stringContaining(own()),
    }),
  );
  // As an assistant names the user's own file, which without the variables of a shell may not be found.
  expect(load(toml, { config: join(project, 'docfuse.toml') }).refusals).toEqual([]);
  for (const wrong of ['notes', '', './x', '~you']) {
    writeOwn(`trust = ["${wrong}"]\n`);
    expect(() => load('')).toThrow(/docfuse\.toml:1: trust number 1: it is not an absolute folder/);
  }
});

// Only the superuser may give files away.
test.skipIf(process.getuid?.() !== 0)(
  'what another user wrote holds only where it is trusted or named',
  () => {
    const file = join(project, 'docfuse.toml');
    load('');
    const theirs = join(work, 'theirs.toml');
    const expectRefusal = () =>
      expect(() => loadConfig({ cwd: project })).toThrow(
        expect.objectContaining({
          code: 'config',
          message: `${file} belongs to user 65534, not to you, and its folder is not trusted.`,
          remedy: `If you want what it says, write trust = ["${project}"] at the top of ${own()}, or name this file yourself with --config ${file}.`,
        }),
      );
    const replace = () => {
      rmSync(file, { force: true });
      writeFileSync(theirs, '');
    };
    for (const give of [
      () => chownSync(file, 65534, 65534),
      () => {
        replace();
        symlinkSync(theirs, file);
        lchownSync(file, 65534, 65534); // a link of theirs to a file of one's own
      },
      () => {
        replace();
        chownSync(theirs, 65534, 65534);
        symlinkSync(theirs, file);
      },
    ]) {
      give();
      expectRefusal();
      expect(loadConfig({ cwd: project, config: file }).files).toMatchObject([{}, { trusted: true }]);
      writeOwn(`trust = ["${project}"]\n`);
      expect(loadConfig({ cwd: project }).files).toMatchObject([{}, { trusted: true }]);
      writeOwn('');
    }
    writeOwn('# mine\ntrust = ["/elsewhere"]\n');
    expect(() => loadConfig({ cwd: project })).toThrow(
      expect.objectContaining({
        remedy: expect.stringContaining(`add "${project}" to trust (${own()}:2)`),
      }),
    );
    rmSync(file);
  },
);

test('the user’s own file is theirs wherever it is found, through a link as well', () => {
  writeOwn(`trust = ["/x"]\n${SERVICE}`);
  const inside = loadConfig({ cwd: userConfigFolder() });
  expect([inside.files, inside.refusals]).toEqual([[{ file: own(), role: 'user', trusted: true }], []]);
  const dotfiles = join(work, 'dotfiles');
  mkdirSync(dotfiles, { recursive: true });
  symlinkSync(own(), join(dotfiles, 'docfuse.toml'));
  expect(loadConfig({ cwd: dotfiles }).files).toHaveLength(1);
});

test('folders inside a listed one count; its neighbours, and what a link in it leads to, do not', () => {
  const at = (...folders: string[]) => join(work, ...folders, 'docfuse.toml');
  for (const folder of ['notes/deep', 'notes-2', '..notes'])
    mkdirSync(join(work, folder), { recursive: true });
  symlinkSync(project, join(work, 'notes', 'link'));
  symlinkSync(join(work, 'notes'), join(work, 'other-name'));
  expect(homedir()).toBe(work);
  for (const listed of ['~/notes', join(work, 'notes'), join(work, 'other-name'), `${work}/notes/`]) {
    expect(isTrustedFile(at('notes'), [listed])).toBe(true);
    expect(isTrustedFile(at('notes', 'deep'), ['/nowhere', listed])).toBe(true);
    expect(isTrustedFile(at('notes', 'link'), [listed])).toBe(false);
    expect(isTrustedFile(at('notes-2'), [listed])).toBe(false);
    expect(isTrustedFile(at(), [listed])).toBe(false);
  }
  expect(isTrustedFile(at('..notes'), ['~'])).toBe(true);
  expect(isTrustedFile(at('notes'), [])).toBe(false);
});

test('a link to nowhere is not passed over for the file above it', () => {
  const inner = join(project, 'linked');
  mkdirSync(inner);
  symlinkSync(join(project, 'nowhere'), join(inner, 'docfuse.toml'));
  expect(() => load('', { cwd: inner })).toThrow(
    /linked.docfuse\.toml cannot be read: it is a link to what is not there\.$/,
  );
});

test('whatever address a file gives, it is of this machine or refused', () => {
  const part = fc.constantFrom(
    '127.0.0.1',
    'localhost',
    '[::1]',
    '@',
    ':',
    '/',
    '\\',
    '#',
    '?',
    '.',
    'evil.example',
    'http:',
    '//',
    ' ',
    '0',
    '127.1',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }).map((parts) => `http://${parts.join('')}`),
      (address) => {
        const { refusals } = load(`[answer]\nmodel = "m"\nbase_url = ${JSON.stringify(address)}\n`);
        // As the request is made.
        const asked = URL.parse(`${address.replace(/\/+$/, '')}/chat/completions`)?.hostname ?? '';
        if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(asked) && asked !== '')
          expect(refusals).toHaveLength(1);
      },
    ),
    { numRuns: 300 },
  );
});
