/** `docfuse mcp install`: the right file, key and command for each assistant, and nothing else touched. */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { ASSISTANT_NAMES, ASSISTANTS, type AssistantName } from '../../../src/surfaces/assistants/clients.ts';
import { SOURCE_BIN as BIN, createPlayground, type Playground } from '../cli/docfuse.ts';
import { executeHere, type Surroundings } from '../cli/execute-here.ts';
import { connectStdio, textOf } from '../mcp/connect.ts';

/** Files under a home on Linux, and the key that servers stand under. */
const PLACES: Readonly<Record<AssistantName, readonly [file: string, key: string]>> = {
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', 'mcpServers'],
  'claude-code': ['.claude.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.config/Code/User/mcp.json', 'servers'],
  windsurf: ['.codeium/windsurf/mcp_config.json', 'mcpServers'],
  zed: ['.config/zed/settings.json', 'context_servers'],
  codex: ['.codex/config.toml', 'mcp_servers'],
  'gemini-cli': ['.gemini/settings.json', 'mcpServers'],
  'copilot-cli': ['.copilot/mcp-config.json', 'mcpServers'],
  opencode: ['.config/opencode/opencode.json', 'mcp'],
};

const createHome = (files = {}) =>
  createPlayground({ 'notes/a.md': '# Alpha\n\nThe first letter.\n', ...files }, { packagedModel: true });

test.each(ASSISTANT_NAMES)('%s: printed, then written, then the same again', async (client) => {
  using home = createHome();
  const [path, key] = PLACES[client];
  const file = join(home.folder, path);
  const printed = await install(home, ['--client', client, 'notes']);
  expect(printed).toMatchObject({ file, outcome: 'printed' });
  expect(existsSync(file)).toBe(false);
  expect(await install(home, ['--client', client, '--write', 'notes'])).toMatchObject({ outcome: 'written' });
  const text = readFileSync(file, 'utf8');
  expect(text).toBe(printed.configuration);
  const entry = read(client, text)[key].docfuse;
  const command = client === 'opencode' ? entry.command : [entry.command, ...entry.args];
  expect(client === 'opencode' ? entry.environment : entry.env).toEqual({
    XDG_CONFIG_HOME: join(home.folder, '.config'),
  });
  expect(command).toEqual([process.execPath, BIN, 'mcp', join(home.folder, 'notes')]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await install(home, ['--client', client, '--write', 'notes'])).toMatchObject({
    outcome: 'unchanged',
  });
});

test('where the files are on other systems', () => {
  const on = (platform: NodeJS.Platform, client: AssistantName, env = {}) =>
    ASSISTANTS[client].file({ platform, home: '/u', env });
  const support = '/u/Library/Application Support';
  expect(on('darwin', 'claude-desktop')).toBe(`${support}/Claude/claude_desktop_config.json`);
  expect(on('darwin', 'vscode')).toBe(`${support}/Code/User/mcp.json`);
  expect(on('darwin', 'zed')).toBe('/u/.config/zed/settings.json');
  const env = { APPDATA: '/u/AppData/Roaming' };
  expect(on('win32', 'claude-desktop', env)).toBe('/u/AppData/Roaming/Claude/claude_desktop_config.json');
  expect(on('win32', 'vscode')).toBe('/u/AppData/Roaming/Code/User/mcp.json');
  expect(on('win32', 'zed', env)).toBe('/u/AppData/Roaming/Zed/settings.json');
  expect(on('linux', 'vscode', { XDG_CONFIG_HOME: '/c' })).toBe('/c/Code/User/mcp.json');
  expect(on('linux', 'codex', { CODEX_HOME: '/x' })).toBe('/x/config.toml');
});

test('what is written starts a server that answers', async () => {
  using home = createHome();
  await install(home, ['--client', 'cursor', '--write', 'notes']);
  const { docfuse } = JSON.parse(readFileSync(join(home.folder, '.cursor/mcp.json'), 'utf8')).mcpServers;
  expect(docfuse.command).toBe(process.execPath);
  await using connected = await connectStdio({ args: docfuse.args, cwd: '/', env: home.env });
  expect(textOf(await connected.client.callTool({ name: 'list_documents', arguments: {} }))).toMatch(
    /Alpha|0 of 0/,
  );
});

test('other settings, other servers, indentation, mode and a link stay; what the user set beside the command, too', async () => {
  const before = {
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, docfuse: { command: 'old', env: { DOCFUSE_OFFLINE: '1' } } },
    last: [1, 2],
  };
  using home = createHome({ 'dotfiles/mcp.json': JSON.stringify(before, undefined, '\t') });
  const real = join(home.folder, 'dotfiles/mcp.json');
  const file = join(home.folder, '.cursor/mcp.json');
  mkdirSync(dirname(file));
  symlinkSync(real, file);
  chmodSync(real, 0o640);
  await install(home, ['--client', 'cursor', '--write', 'notes']);
  const text = readFileSync(file, 'utf8');
  const after = JSON.parse(text);
  expect(after).toMatchObject({
    theme: 'dark',
    mcpServers: {
      other: { command: 'x' },
      docfuse: {
        command: process.execPath,
        env: { DOCFUSE_OFFLINE: '1', XDG_CONFIG_HOME: join(home.folder, '.config') },
      },
    },
    last: [1, 2],
  });
  expect(Object.keys(after)).toEqual(['theme', 'mcpServers', 'last']);
  expect(text).toBe(JSON.stringify(after, undefined, '\t'));
  expect(realpathSync(file)).toBe(real);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(await install(home, ['--client', 'cursor', '--name', 'work', '--write', 'notes'])).toMatchObject({
    outcome: 'written',
  });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual([
    'other',
    'docfuse',
    'work',
  ]);
});

test.each([
  ['zed', '{\n  // my theme\n  "theme": "dark"\n}\n', /comments/],
  ['cursor', '{"mcpServers": ', /not valid JSON/],
  ['cursor', '{"id": 12345678901234567890}', /unusual spelling/],
  ['cursor', '{"at": [0.1234567890123456789, 1e400]}', /unusual spelling/],
  ['cursor', '{"size": 1.0}', /unusual spelling/],
  ['cursor', '{"name": "\\u00e9"}', /unusual spelling/],
  ['cursor', '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', /the same key twice/],
  ['cursor', '[]', /not a JSON object/],
  ['vscode', '{"servers": []}', /servers is not an object/],
  ['codex', '[mcp_servers.docfuse]\ncommand = "mine"\n', /already/],
  ['codex', 'mcp_servers = { other = { command = "x" } }\n', /cannot be added/],
  ['codex', 'model = \n', /cannot be added/],
] as const)('%s with %j is left as it is, and what to add is printed', async (client, before, reason) => {
  const [path] = PLACES[client];
  using home = createHome({ [path]: before });
  const outcome = await home.runHere(['mcp', 'install', '--client', client, '--write', 'notes']);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(reason);
  expect(outcome.stdout).toContain('docfuse');
  expect(readFileSync(join(home.folder, path), 'utf8')).toBe(before);
});

test('white space may be anywhere, and what is in texts stays', async () => {
  const before = '{ "1" :[1,\t0.1, 1e-7,9007199254740992, "1.0 \\" {  } 12345678901234567890"],\n"a":true }';
  using home = createHome({ '.cursor/mcp.json': before });
  expect(await install(home, ['--client', 'cursor', '--write', 'notes'])).toMatchObject({
    outcome: 'written',
  });
  const after = JSON.parse(readFileSync(join(home.folder, '.cursor/mcp.json'), 'utf8'));
  expect(after).toMatchObject(JSON.parse(before));
});

test('a table is added to TOML without touching comments', async () => {
  const before = '# my model\nmodel = "x" # the best\n\n[mcp_servers.other]\ncommand = "y"\n';
  using home = createHome({ '.codex/config.toml': before });
  await install(home, ['--client', 'codex', '--write', 'notes']);
  const text = readFileSync(join(home.folder, '.codex/config.toml'), 'utf8');
  expect(text.startsWith(before)).toBe(true);
  expect(parseToml(text)).toMatchObject({
    model: 'x',
    mcp_servers: { other: { command: 'y' }, docfuse: { command: process.execPath } },
  });
});

test('folders: those named, the nearest docfuse.toml, or the working directory', async () => {
  using home = createHome();
  const args = async (more: readonly string[] = [], env = {}) =>
    JSON.parse((await install(home, ['--client', 'cursor', ...more], env)).configuration).mcpServers.docfuse
      .args;
  expect(await args()).toEqual([BIN, 'mcp', home.folder]);
  expect(await args(['--index', '.here'], { DOCFUSE_INDEX: '.there' })).toEqual([
    BIN,
    'mcp',
    '--index',
    join(home.folder, '.here'),
    home.folder,
  ]);
  expect(await args([], { DOCFUSE_INDEX: '.there' })).toEqual([
    BIN,
    'mcp',
    '--index',
    join(home.folder, '.there'),
    home.folder,
  ]);
  const file = join(home.folder, 'docfuse.toml');
  const named = [BIN, 'mcp', '--config', file];
  home.write({ 'docfuse.toml': '[[collections]]\npath = "notes"\n' });
  expect(await args(['--config', 'docfuse.toml'])).toEqual(named);
  home.write({ '.config/docfuse/docfuse.toml': `trust = [${JSON.stringify(home.folder)}]\n` });
  expect(await args()).toEqual(named);
});

test('a file of the user’s own is named, too, and found as such: assistants start elsewhere, without the variables of a shell', async () => {
  using home = createHome({
    '.config/docfuse/docfuse.toml':
      'trust = ["~/elsewhere"]\n[[collections]]\nname = "mine"\npath = "../../notes"\n',
    'elsewhere/docfuse.toml': '[[collections]]\nname = "other"\npath = "."\n',
  });
  const own = join(home.folder, '.config/docfuse/docfuse.toml');
  const { configuration } = await install(home, ['--client', 'cursor'], { XDG_DATA_HOME: '.data' });
  const { args, env } = JSON.parse(configuration).mcpServers.docfuse;
  expect(args).toEqual([BIN, 'mcp', '--config', own]);
  expect(env).toEqual({
    XDG_CONFIG_HOME: join(home.folder, '.config'),
    XDG_DATA_HOME: join(home.folder, '.data'),
  });
  for (const more of [env, {}]) {
    await using connected = await connectStdio({
      ...{ args, cwd: join(home.folder, 'elsewhere') },
      env: { ...bare(home), ...more },
    });
    expect(connected.client.getInstructions()).toContain('mine');
    expect(textOf(await connected.client.callTool({ name: 'list_documents', arguments: {} }))).toMatch(
      /Alpha|0 of 0/,
    );
  }
});

test('beside a file of a project the user’s own holds as before: model and index are the same', async () => {
  using home = createHome({
    'moved/docfuse/docfuse.toml':
      'trust = ["~/clone"]\n[embedding]\nprovider = "openai"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\ndimensions = 8\n',
    'clone/docfuse.toml': '[[collections]]\nname = "clone"\npath = "../notes"\n',
    'other/docfuse.toml': '[[collections]]\nname = "other"\npath = "notes"\n',
    'other/notes/b.md': '# Beta\n',
  });
  const places = {
    XDG_CONFIG_HOME: join(home.folder, 'moved'),
    XDG_DATA_HOME: join(home.folder, 'kept'),
  };
  for (const place of ['clone', 'other']) {
    const there = { cwd: join(home.folder, place), env: { ...home.env, ...places } };
    const run = async (args: readonly string[], options: Surroundings = there) => {
      const { code, stdout } = await executeHere([BIN, ...args], options);
      return [code, JSON.parse(stdout)];
    };
    await run(['index', '--no-embed', '--json']);
    const [, before] = await run(['status', '--json']);
    expect(before).toMatchObject({ index: { documents: 1 }, index_path: expect.stringContaining('kept') });
    const [, { configuration }] = await run(['mcp', 'install', '--client', 'cursor', '--json']);
    const { args, env } = JSON.parse(configuration).mcpServers.docfuse;
    const now = { cwd: '/', env: { ...bare(home), ...env } };
    const [, shown] = await run(['config', '--json', ...args.slice(2)], now);
    for (const [key, value] of Object.entries({ provider: 'openai', model: 'm', dimensions: 8 }))
      expect(shown.settings).toContainEqual(expect.objectContaining({ key: `embedding.${key}`, value }));
    await using connected = await connectStdio({ args, ...now });
    const { structuredContent } = await connected.client.callTool({ name: 'index_status', arguments: {} });
    expect(structuredContent).toMatchObject({
      ...{ index: { model: before.index.model }, index_path: before.index_path },
    });
  }
});

test('beside a file that is not trusted stands what holds now, so that a later version of it cannot ask for more', async () => {
  using home = createHome({
    'docfuse.toml': '[embedding]\nprovider = "openai"\nbase_url = "https://evil.example/v1"\n',
  });
  const args = ['mcp', 'install', '--client', 'cursor', '--json'];
  const { stdout, stderr } = await home.runHere(args);
  expect(stderr).toContain('is not trusted, so docfuse ignores embedding.provider = "openai"');
  expect(JSON.parse(JSON.parse(stdout).configuration).mcpServers.docfuse.args).toEqual([
    ...[BIN, 'mcp', '--index', expect.stringContaining(home.folder)],
    ...['--config', join(home.folder, 'docfuse.toml')],
    ...['--set', 'embedding.provider=local', '--set', 'embedding.model=auto'],
    ...['--set', 'search.rerank_model=cross-encoder/ms-marco-MiniLM-L-6-v2', home.folder],
  ]);
  home.write({ 'docfuse.toml': 'answer.base_url = "https://evil.example/v1"\nembedding.dimensions = 8\n' });
  expect((await home.runHere(args)).stdout).toContain('embedding.dimensions=8');
  home.write({ 'docfuse.toml': '[[collections]]\npath = "."\nkind = "git"\n' });
  const refused = await home.runHere(args);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--config')]);
});

test.each([
  [['--client', 'emacs'], /claude-desktop, claude-code/],
  [[], /client/],
  [['--client', 'cursor', '--name', 'a b'], /letters, digits/],
  [['--client', 'cursor', '--set', 'search.top_n=3'], /docfuse\.toml/],
  [['--client', 'cursor', 'nowhere'], /nowhere/],
  [['--client', 'cursor', '--index', 'inside'], /inside would lie among the documents/],
] as const)('%j is refused', async (args, message) => {
  using home = createHome();
  const outcome = await home.runHere(['mcp', 'install', ...args]);
  expect(outcome.code).toBeGreaterThan(0);
  expect(outcome.stderr).toMatch(message);
});

/** What an assistant passes on. */
function bare({ env }: Playground) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('XDG_')));
}

async function install(home: Playground, args: readonly string[], env = {}) {
  const { stdout, stderr } = await home.runHere(['mcp', 'install', '--json', ...args], {
    env: { XDG_DATA_HOME: '', XDG_STATE_HOME: '', ...env, XDG_CONFIG_HOME: join(home.folder, '.config') },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

function read(client: AssistantName, text: string) {
  // biome-ignore lint/suspicious/noExplicitAny: files of many shapes
  return (ASSISTANTS[client].format === 'json' ? JSON.parse(text) : parseToml(text)) as any;
}
