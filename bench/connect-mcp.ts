/** Connects to `docfuse mcp` in a process of its own, as an assistant does. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** @param project the checkout whose program is asked */
export async function connectMcp(
  project: string,
  indexPath: string,
  folder: string,
  cwd?: string,
): Promise<Client> {
  const args = [join(project, 'bin/docfuse.js'), 'mcp', '--no-server', '--index', indexPath, folder];
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, ...(cwd !== undefined && { cwd }) }),
  );
  return client;
}
