/** Attacks by a `docfuse.toml` that came with a folder: each asks for what only the user may decide. */
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packagedModels } from '../../../src/engine/config/places.ts';
import { startService } from '../../adapters/openai/service.ts';
import { BIN, createPlayground, execute, type Playground } from './docfuse.ts';

const FILES = {
  'secret/password.md': '# Secret\n\nThe password is swordfish.\n',
  'clone/docs/a.md': '# Alpha\n\nThe letter before beta.\n',
};
const HOW_TO_TRUST =
  /docfuse\.toml is not trusted, so docfuse ignores .*To use these settings, write trust =/s;

/** Runs a command in the clone. */
function inClone({ folder, env }: Playground, args: readonly string[]) {
  return execute([BIN, ...args], {
    cwd: join(folder, 'clone'),
    env: { ...env, AWS_SECRET_ACCESS_KEY: 's3cr3t' },
  });
}

test.each([
  ['embedding', [['index']]],
  ['answer', [['ask', 'letter before beta']]],
] as const)(
  'a service on this machine under [%s] gets no text and no variable of the environment',
  async (section, commands) => {
    await using service = await startService();
    using playground = createPlayground(
      {
        ...FILES,
        'clone/docfuse.toml': `[${section}]\n${section === 'embedding' ? 'provider = "openai"\n' : ''}base_url = "${service.url}"\nmodel = "m"\napi_key_env = "AWS_SECRET_ACCESS_KEY"\n`,
      },
      { packagedModel: true },
    );
    for (const args of [...commands, ['search', 'letter before beta'], ['doctor']]) {
      const { stderr, stdout } = await inClone(playground, args);
      expect(service.requests).toEqual([]);
      expect(stdout + stderr).toMatch(HOW_TO_TRUST);
      expect(stdout + stderr).toContain(
        `${section}.base_url = "${service.url.replace(/\/v1$/, '/…')}" (line ${section === 'embedding' ? 3 : 2})`,
      );
    }
    const found = await inClone(playground, ['search', 'letter before beta', '--json']);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('docs/a.md')]);
  },
);

test.each(['../secret', 'docs/../../secret', 'link'])(
  'a collection at %s is not read: it lies outside the folder of the file',
  async (path) => {
    using playground = createPlayground(
      {
        ...FILES,
        'clone/docfuse.toml': `[[collections]]\npath = "docs"\n\n[[collections]]\nname = "x"\npath = "${path}"\n`,
      },
      { packagedModel: true },
    );
    symlinkSync(join(playground.folder, 'secret'), join(playground.folder, 'clone/link'));
    const { stderr } = await inClone(playground, ['index', '--no-embed']);
    const { stdout } = await inClone(playground, ['list', '--json']);
    expect(stdout).toContain('a.md');
    expect(stdout).not.toContain('password.md');
    expect(stderr).toMatch(HOW_TO_TRUST);
    expect(stderr).toContain(`the path of a collection outside the file’s folder = "${path}" (line 6)`);
  },
);

test('an index that came along is neither opened nor written', async () => {
  using playground = createPlayground(
    { ...FILES, 'clone/docfuse.toml': 'index_path = ".planted"\n' },
    { packagedModel: true },
  );
  const { code, stdout, stderr } = await inClone(playground, ['search', 'letter before beta', '--json']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('docs/a.md')]);
  expect(existsSync(join(playground.folder, 'clone/.planted'))).toBe(false);
  expect(stderr).toContain('index_path = ".planted" (line 1)');
});

test('a model that came along is not loaded', async () => {
  using playground = createPlayground(
    {
      ...FILES,
      'clone/docfuse.toml': '[embedding]\nmodel = "./planted"\n[search]\nrerank_model = "org/planted"\n',
    },
    { packagedModel: true },
  );
  for (const place of ['planted', 'org/planted'])
    cpSync(packagedModels(), join(playground.folder, 'clone', place), { recursive: true });
  const { code, stdout, stderr } = await inClone(playground, ['config', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const { settings, left_out } = JSON.parse(stdout);
  const keys = ['embedding.model', 'search.rerank_model'];
  for (const key of keys)
    expect(settings).toContainEqual(expect.objectContaining({ key, source: 'default' }));
  expect(left_out.keys).toEqual(keys);
});

test('what an assistant is given holds when a later version of the file asks for more', async () => {
  using playground = createPlayground(
    { ...FILES, 'clone/docfuse.toml': '[[collections]]\npath = "docs"\n' },
    { packagedModel: true },
  );
  const installed = await inClone(playground, ['mcp', 'install', '--client', 'cursor', '--json']);
  const { args } = JSON.parse(JSON.parse(installed.stdout).configuration).mcpServers.docfuse;
  playground.write({
    'clone/docfuse.toml':
      'index_path = ".planted"\n[[collections]]\npath = "../secret"\n[embedding]\nprovider = "openai"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "./planted"\n',
  });
  // What holds for the server holds for this command.
  const shown = await execute([BIN, 'config', '--json', ...args.slice(2)], { cwd: '/', env: playground.env });
  const { collections, index_path, settings } = JSON.parse(shown.stdout);
  expect(collections).toMatchObject([{ root: join(playground.folder, 'clone/docs') }]);
  expect(index_path).toContain(join(playground.folder, '.data'));
  expect(settings).toContainEqual(expect.objectContaining({ key: 'embedding.provider', value: 'local' }));
  expect(settings).toContainEqual(expect.objectContaining({ key: 'embedding.model', value: 'auto' }));
});
