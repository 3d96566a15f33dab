/** Makes MCP servers that share their tools: one for each connection over stdio, one for each request over streamable HTTP. */
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { oneLine } from '../../core/text/one-line.ts';
import type { Operation, RunOperation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import type { Asked } from '../operations/written-answer.ts';
import { registerDocuments } from './documents.ts';
import { registerPrompts } from './prompts.ts';
import { registerTools, type ToolOptions, toolsOf } from './tools.ts';

export interface McpServerOptions {
  readonly run: RunOperation;
  readonly version: string;
  /** Names of the collections, for the instructions. */
  readonly collections: readonly string[];
  /** @default the table of operations */
  readonly operations?: readonly Operation[];
  readonly show?: ToolOptions['show'];
}

/** Seconds within which a client must send back the signed state. Long, because it may wait for the consent of its user. */
const ANSWER_WITHIN_S = 15 * 60;

/** Makes the schemas once. Each call of the returned function makes a new server with these schemas. */
export function createMcpServerFactory(options: McpServerOptions): () => McpServer {
  const { run, version, collections, operations: table = operations, show } = options;
  // Signs the state that is sent to a client and comes back. The key lives as long as this process.
  const state = createRequestStateCodec<Asked>({ key: randomBytes(32), ttlSeconds: ANSWER_WITHIN_S });
  const tools = toolsOf(table, { run, state, ...(show && { show }) });
  const instructions = instructionsFor(collections);
  return () => {
    const server = new McpServer(
      { name: 'docfuse', title: 'docfuse', version },
      {
        instructions,
        requestState: { verify: state.verify },
        // Lists of tools and prompts never change, and documents change too often to notify clients.
        capabilities: {
          tools: { listChanged: false },
          prompts: { listChanged: false },
          resources: { listChanged: false },
        },
      },
    );
    registerTools(server, tools);
    registerDocuments(server, run);
    registerPrompts(server, run);
    return server;
  };
}

function instructionsFor(collections: readonly string[]): string {
  const which = collections.length === 1 ? 'the collection' : 'the collections';
  return [
    `Searches the user's own documents in ${which} ${collections.map(oneLine).join(', ')}.`,
    'Before you answer from memory what these documents may say, call query_documents; it takes a question, words or code.',
    'When it finds nothing, write down what the answer might say and call search_with_hypothesis.',
    'Cite sources as path:start-end. read_document shows more of a document, related_documents what is linked with it.',
  ].join('\n');
}
