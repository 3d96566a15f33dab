/** The assistants that start MCP servers: where each keeps its configuration file, and how a server is written there. */
import { join } from 'node:path';

/** The facts that decide where a user's programs keep their files. */
export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ServerCommand {
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables, added to those that the assistant passes on. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Assistant {
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The field of the file that contains the servers by name. */
  readonly key: string;
  file(places: UserPlaces): string;
  entry(server: ServerCommand): Readonly<Record<string, unknown>>;
}

const plain = ({ command, args, env }: ServerCommand) => ({ command, args, ...under('env', env) });
const typed = (server: ServerCommand) => ({ type: 'stdio', ...plain(server) });
const inHome =
  (...path: readonly string[]) =>
  ({ home }: UserPlaces) =>
    join(home, ...path);

/** Fills in the defaults: a JSON file with command, arguments and variables under `mcpServers`. */
function assistant(facts: Pick<Assistant, 'title' | 'file'> & Partial<Assistant>): Assistant {
  return { format: 'json', key: 'mcpServers', entry: plain, ...facts };
}

/** Assistants by their name in `docfuse mcp install --client`. */
export const ASSISTANTS = {
  'claude-desktop': assistant({
    title: 'Claude Desktop',
    file: (places) => join(appData(places), 'Claude', 'claude_desktop_config.json'),
  }),
  'claude-code': assistant({ title: 'Claude Code', file: inHome('.claude.json'), entry: typed }),
  cursor: assistant({ title: 'Cursor', file: inHome('.cursor', 'mcp.json') }),
  vscode: assistant({
    title: 'VS Code',
    key: 'servers',
    file: (places) => join(appData(places), 'Code', 'User', 'mcp.json'),
    entry: typed,
  }),
  windsurf: assistant({ title: 'Windsurf', file: inHome('.codeium', 'windsurf', 'mcp_config.json') }),
  zed: assistant({
    title: 'Zed',
    key: 'context_servers',
    file: (places) =>
      places.platform === 'win32'
        ? join(appData(places), 'Zed', 'settings.json')
        : join(configFolder(places), 'zed', 'settings.json'),
  }),
  codex: assistant({
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    file: ({ home, env }) => join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
  }),
  'gemini-cli': assistant({ title: 'Gemini CLI', file: inHome('.gemini', 'settings.json') }),
  'copilot-cli': assistant({
    title: 'GitHub Copilot CLI',
    file: inHome('.copilot', 'mcp-config.json'),
    entry: (server) => ({ type: 'local', ...plain(server), tools: ['*'] }),
  }),
  opencode: assistant({
    title: 'opencode',
    key: 'mcp',
    file: inHome('.config', 'opencode', 'opencode.json'),
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...under('environment', env),
    }),
  }),
};

export type AssistantName = keyof typeof ASSISTANTS;

export const ASSISTANT_NAMES = Object.keys(ASSISTANTS) as readonly AssistantName[];

/** An object with the variables under `key`; an empty object if there are no variables. */
function under(key: string, env: ServerCommand['env']): Readonly<Record<string, ServerCommand['env']>> {
  return Object.keys(env).length > 0 ? { [key]: env } : {};
}

/** The folder where desktop applications keep their settings. */
function appData(places: UserPlaces): string {
  const { platform, home, env } = places;
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : configFolder(places);
}

function configFolder({ platform, home, env }: UserPlaces): string {
  return (platform === 'linux' && env.XDG_CONFIG_HOME) || join(home, '.config');
}
