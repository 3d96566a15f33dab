/** The official client, connected to real servers. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BIN } from '../cli/docfuse.ts';

/** The protocol before and after requests carried all they need. */
export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];

const NEWEST = '2026-07-28';

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** Of the server process, over stdio. */
  readonly pid?: number;
}

export interface StdioTarget {
  /** After `node`. @default docfuse mcp */
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly era?: Era;
}

export async function connectStdio({ args, cwd, env = {}, era }: StdioTarget): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(args ?? [BIN, 'mcp'])],
    cwd,
    env: { ...env },
    stderr: 'ignore',
  });
  const client = await connect(transport, era);
  return { ...client, pid: transport.pid! };
}

export function connectHttp(
  url: string,
  { era, token }: { readonly era?: Era; readonly token?: string } = {},
): Promise<Connected> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }), era);
}

/** The texts of an answer, one after the other. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

async function connect(transport: Parameters<Client['connect']>[0], era: Era = 'legacy'): Promise<Connected> {
  const options: ClientOptions = {
    versionNegotiation: { mode: era === 'modern' ? { pin: NEWEST } : 'legacy' },
  };
  const client = new Client({ name: 'test', version: '0' }, options);
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
