/** The official client, connected to real servers. */
import {
  Client,
  type ClientOptions,
  type CreateMessageRequest,
  type CreateMessageResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
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
  readonly sample?: Sample;
}

/** Answers for the client's own model; a client that has it declares sampling. */
export type Sample = (
  asked: CreateMessageRequest['params'],
  signal: AbortSignal,
) => CreateMessageResult | Promise<CreateMessageResult>;

export async function connectStdio({ args, cwd, env = {}, era, sample }: StdioTarget): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(args ?? [BIN, 'mcp'])],
    cwd,
    env: { ...env },
    stderr: 'ignore',
  });
  const client = await connect(transport, era, sample);
  return { ...client, pid: transport.pid! };
}

export function connectHttp(
  url: string,
  { era, token, sample }: { readonly era?: Era; readonly token?: string; readonly sample?: Sample } = {},
): Promise<Connected> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
    era,
    sample,
  );
}

/** The texts of an answer, one after the other. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

async function connect(
  transport: Parameters<Client['connect']>[0],
  era: Era = 'legacy',
  sample?: Sample,
): Promise<Connected> {
  const options: ClientOptions = {
    ...(sample && { capabilities: { sampling: {} } }),
    versionNegotiation: { mode: era === 'modern' ? { pin: NEWEST } : 'legacy' },
  };
  const client = new Client({ name: 'test', version: '0' }, options);
  if (sample) {
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      sample(params, mcpReq.signal),
    );
  }
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
