/** What a configuration file may not decide that was found: services, keys, models in folders, places, and who is let in. */
import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OpenOptions } from '../../src/engine/api.ts';
import { type Config, loadConfig } from '../../src/engine/config/config.ts';
import { userConfigFolder } from '../../src/engine/config/places.ts';
import { settingKeys } from '../../src/engine/config/setting-keys.ts';
import { isTrustedFolder } from '../../src/engine/config/trusted-folder.ts';
import { RISKY } from '../../src/engine/config/without-untrusted.ts';
import { openAnswerer } from '../../src/engine/open-models.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const work = sharedFolder();
const project = join(work, 'clone');
mkdirSync(join(project, 'docs'), { recursive: true });
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

const valuesOf = ({ settings, indexPath, collections }: Config) => ({
  ...{ settings, indexPath },
  roots: collections.map(({ root }) => root),
});

test.each([
  [SERVICE, 'embedding.provider (line 2) and embedding.base_url (line 3)'],
  [
    '[embedding]\nprovider = "openai"\nmodel = "m"\ndimensions = 3\n',
    'embedding.provider (line 2), embedding.model (line 3), and embedding.dimensions (line 4)',
  ],
  ['[embedding]\nbase_url = "http://127.0.0.1:1"\n', 'embedding.base_url (line 2)'],
  ['[embedding]\napi_key_env = "AWS_SECRET"\n', 'embedding.api_key_env (line 2)'],
  ['[embedding]\nmodel = "./model"\n', 'embedding.model (line 2)'],
  ['[embedding]\nmodel = "docs"\n', 'embedding.model (line 2)'],
  ['[search]\nrerank_model = "/model"\n', 'search.rerank_model (line 2)'],
  ['[answer]\nbase_url = "http://a"\nmodel = "m"\n', 'answer.base_url (line 2) and answer.model (line 3)'],
  ['[answer]\napi_key_env = "AWS_SECRET"\n', 'answer.api_key_env (line 2)'],
  ['[server]\nhost = "0.0.0.0"\n', 'server.host (line 2)'],
  ['[server]\nport = 7331\nallowed_hosts = ["evil.example"]\n', 'server.allowed_hosts (line 3)'],
  ['[server]\nallowed_origins = ["https://evil.example"]\n', 'server.allowed_origins (line 2)'],
  ['[server]\ntoken_env = "LANG"\n', 'server.token_env (line 2)'],
  ['[qdrant]\nurl = "https://evil.example"\n', 'qdrant.url (line 2)'],
  ['[postgres]\nurl = "postgres://evil.example/a"\n', 'postgres.url (line 2)'],
  ['[server]\njudge = true\n', 'server.judge (line 2)'],
  ['index_path = "index"\n', 'index_path (line 1)'],
  ['index_path = "/elsewhere"\n', 'index_path (line 1)'],
  ['[[collections]]\npath = ".."\n', 'the path of a collection outside the file’s folder (line 2)'],
  ['collections = [{ path = "/" }]\n', 'the path of a collection outside the file’s folder (line 1)'],
])('%j is left out with its lines, and both remedies are named', (toml, what) => {
  const without = valuesOf(load(''));
  const { leftOut, ...config } = load(toml);
  const file = join(project, 'docfuse.toml');
  expect(valuesOf(config)).toEqual(without);
  expect(leftOut?.message.replaceAll(/ = .+?(?= \(line)/g, '')).toBe(
    `${file} is not trusted, so docfuse ignores ${what}.`,
  );
  expect(leftOut).toMatchObject({
    remedy: `To use these settings, write trust = ["${project}"] at the top of your own file, ${own()}, or pass --config ${file}.`,
  });
  const named = load(toml, { config: file });
  expect(named.leftOut).toBeUndefined();
  writeOwn(`trust = ["${project}"]\n`);
  expect([load(toml).leftOut, valuesOf(load(toml))]).toEqual([undefined, valuesOf(named)]);
  writeOwn('# mine\ntrust = ["/elsewhere"]\n');
  expect(load(toml).leftOut?.remedy).toContain(`add "${project}" to trust (${own()}:2)`);
});

describe('nothing is left out', () => {
  test.each([
    ['settings that send nothing', '[search]\ntop_n = 3\n[server]\nport = 1\nhost = "localhost"\n'],
    ['lists that are empty', '[server]\nallowed_hosts = []\nallowed_origins = []\n'],
    ['models by name', '[answer]\nmodel = "m"\n[embedding]\nmodel = "org/name"\nprovider = "local"\n'],
    ['the model of the package', '[embedding]\nmodel = "bge-small-en-v1.5"\n'],
    [
      'collections inside',
      '[[collections]]\npath = "docs"\n[[collections]]\npath = "./docs/.."\nname = "x"\n',
    ],
  ])('of %s', (_, toml) => {
    expect(load(toml).leftOut).toBeUndefined();
  });

  test('that the user outweighs by environment or call', () => {
    const settings = { embedding: { base_url: 'https://mine.example', provider: 'openai' } } as const;
    expect(load(SERVICE, { settings })).toMatchObject({ settings });
    expect(load(SERVICE, { settings }).leftOut).toBeUndefined();
    vi.stubEnv('DOCFUSE_EMBEDDING_PROVIDER', 'local');
    expect(load(SERVICE).leftOut?.keys).toEqual(['embedding.base_url']);
    const places = 'index_path = "x"\n[[collections]]\npath = ".."\n';
    expect(load(places, { roots: ['docs'], indexPath: 'y' }).leftOut).toBeUndefined();
  });
});

test('the service of the user gets neither documents nor a key because a file that was found says so', () => {
  writeOwn('[embedding]\nbase_url = "https://mine.example/v1"\n');
  expect(load('[embedding]\nprovider = "openai"\n').settings.embedding.provider).toBe('local');
  const mine = { provider: 'openai', base_url: 'https://mine.example/v1', api_key_env: 'OPENAI_API_KEY' };
  writeOwn(`[embedding]\nbase_url = "${mine.base_url}"\nprovider = "openai"\n`);
  for (const toml of ['[embedding]\napi_key_env = "MY_SECRET"\n', SERVICE])
    expect(load(toml).settings.embedding).toMatchObject(mine);
});

test('ask says why it has no model, where a file that is not trusted names one', () => {
  load('[answer]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n');
  expect(() => openAnswerer({ cwd: project })).toThrow(
    expect.objectContaining({ message: expect.stringContaining('ignores answer.base_url') }),
  );
});

test('of collections those inside stay, with the lines of the file', () => {
  symlinkSync(work, join(project, 'out'));
  const toml =
    '[[collections]]\npath = "out"\n[[collections]]\npath = "docs"\n[[collections]]\npath = "no"\n';
  expect(() => load(toml)).toThrow(/docfuse\.toml:6: the folder of the collection no does not exist/);
  const { collections, places, leftOut } = load(toml.replace('"no"', '"../clone"\nname = "all"'));
  expect(collections.map(({ name }) => name)).toEqual(['all', 'docs']);
  expect(places.collections.where).toBe(`${join(project, 'docfuse.toml')}:3`);
  expect(leftOut?.keys).toEqual(['collections.0.path']);
});

test('trust is said by the user alone, and of folders', () => {
  const toml = `trust = ["${project}"]\n${SERVICE}`;
  expect(() => load(toml)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('docfuse.toml:1: only your own configuration file'),
      remedy: expect.stringContaining(own()),
    }),
  );
  // As an assistant names the user's own file, which without the variables of a shell may not be found.
  expect(load(toml, { config: join(project, 'docfuse.toml') }).leftOut).toBeUndefined();
  for (const wrong of ['notes', '', './x', '~you']) {
    writeOwn(`trust = ["${wrong}"]\n`);
    expect(() => load('')).toThrow(/docfuse\.toml:1: trust number 1: it is not an absolute path/);
  }
});

test('a key written with escapes is the key', () => {
  const escaped = (key: string) => `"\\u${key.codePointAt(0)!.toString(16).padStart(4, '0')}${key.slice(1)}"`;
  expect(() => load(`${escaped('trust')} = ["/"]\n`)).toThrow(/docfuse\.toml:1: only your own conf/);
  const { leftOut } = load(`[${escaped('answer')}]\n${escaped('base_url')} = "http://localhost:1"\n`);
  expect(leftOut?.message).toContain('answer.base_url = ');
});

describe.skipIf(process.platform === 'win32')('a configuration that is no file', () => {
  const file = join(project, 'docfuse.toml');
  afterEach(() => rmSync(file, { force: true }));

  test.each([
    ['a pipe', () => execFileSync('mkfifo', [file]), /it is not a regular file/],
    ['a link to an endless device', () => symlinkSync('/dev/zero', file), /it is not a regular file/],
    [
      'endless zeros',
      () => {
        writeFileSync(file, '');
        truncateSync(file, 10 * 2 ** 30);
      },
      /larger than 1 MiB/,
    ],
  ])('such as %s is refused and not read', (_, make, reason) => {
    rmSync(file, { force: true });
    make();
    expect(() => loadConfig({ cwd: project })).toThrow(reason);
  });
});

test('every setting was judged: it is risky in a file that was found, or harmless', () => {
  const harmless = /^(search|chunking)\.|^embedding\.threads$|^server\.port$/;
  // Models and their like are risky, wherever they stand.
  const named = /model|url|path|file|folder|_env|host|origin|api_key/;
  const unjudged = [...settingKeys().keys()].filter(
    (key) => !(key in RISKY) && (!harmless.test(key) || named.test(key)),
  );
  expect(unjudged).toEqual([]);
});

// Only the superuser may give files away.
test.skipIf(process.getuid?.() !== 0)(
  'what another user wrote holds only where it is trusted or named (only as root)',
  () => {
    const file = join(project, 'docfuse.toml');
    load('');
    const theirs = join(work, 'theirs.toml');
    const expectRefusal = () =>
      expect(() => loadConfig({ cwd: project })).toThrow(
        expect.objectContaining({
          code: 'config',
          message: `${file} belongs to user 65534, not to you, and its folder is not trusted.`,
          remedy: `To use its settings, write trust = ["${project}"] at the top of your own file, ${own()}, or pass --config ${file}.`,
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
  expect(inside.files).toEqual([{ file: own(), role: 'user', trusted: true }]);
  expect(inside.settings.embedding.provider).toBe('openai');
  const dotfiles = join(work, 'dotfiles');
  mkdirSync(dotfiles, { recursive: true });
  symlinkSync(own(), join(dotfiles, 'docfuse.toml'));
  expect(loadConfig({ cwd: dotfiles }).files).toHaveLength(1);
});

test('folders inside a listed one count; its neighbours, and what a link in it leads to, do not', () => {
  const at = (...folders: string[]) => join(work, ...folders);
  for (const folder of ['notes/deep', 'notes-2', '..notes'])
    mkdirSync(join(work, folder), { recursive: true });
  symlinkSync(project, join(work, 'notes', 'link'));
  symlinkSync(join(work, 'notes'), join(work, 'other-name'));
  expect(homedir()).toBe(work);
  for (const listed of ['~/notes', join(work, 'notes'), join(work, 'other-name'), `${work}/notes/`]) {
    expect(isTrustedFolder(at('notes'), [listed])).toBe(true);
    expect(isTrustedFolder(at('notes', 'deep'), ['/nowhere', listed])).toBe(true);
    expect(isTrustedFolder(at('notes', 'link'), [listed])).toBe(false);
    expect(isTrustedFolder(at('notes-2'), [listed])).toBe(false);
    expect(isTrustedFolder(at(), [listed])).toBe(false);
  }
  expect(isTrustedFolder(at('..notes'), ['~'])).toBe(true);
  expect(isTrustedFolder(at('notes'), [])).toBe(false);
});

test('a link to nowhere is not passed over for the file above it', () => {
  const inner = join(project, 'linked');
  mkdirSync(inner);
  symlinkSync(join(project, 'nowhere'), join(inner, 'docfuse.toml'));
  expect(() => load('', { cwd: inner })).toThrow(
    /linked.docfuse\.toml cannot be read: it is a link to a file that does not exist\.$/,
  );
});
