/** A client that starts a server, has it answer once, says which process it is, and then does nothing. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const client = new Client({ name: 'parent', version: '0' });
const env = { ...process.env } as Record<string, string>;
const transport = new StdioClientTransport({
  command: process.execPath,
  args: process.argv.slice(2),
  env,
  stderr: 'ignore',
});
await client.connect(transport);
process.stdout.write(JSON.stringify({ pid: transport.pid }));
setInterval(() => {}, 1000);
