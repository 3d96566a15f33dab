/** An MCP server over stdio with one operation, which ends only when it is stopped, and then says so on stderr. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServerFactory } from '../../../src/surfaces/mcp/create-mcp-server.ts';
import { runOperation } from '../../../src/surfaces/operations/operation.ts';
import { waiting } from './waiting.ts';

const context = { options: {}, now: () => 0, open: () => Promise.reject(new Error('no index')) };

serveStdio(
  createMcpServerFactory({
    run: (operation, input, control) => runOperation(operation, context, input, control),
    operations: [waiting((event) => process.stderr.write(`${event}\n`))],
    version: '0',
    collections: ['none'],
  }),
);
