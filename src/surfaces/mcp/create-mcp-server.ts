/** Makes MCP servers that share their tools: one for each connection over stdio, one for each request over streamable HTTP. */
import { randomBytes } from 'node:crypto';
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { oneLine } from '../../core/text/one-line.ts';
import type { Asked } from '../operations/ask.ts';
import type { Operation, RunOperation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { registerDocuments } from './documents.ts';
import { registerPrompts } from './prompts.ts';
import { registerTools, type ToolOptions, toolsOf } from './tools.ts';

export interface McpServerOptions {
  readonly run: RunOperation;
  readonly version: string;
  /** Names of the collections, for the instructions; none for a published index. */
  readonly collections: readonly string[];
  /** @default the table of operations */
  readonly operations?: readonly Operation[];
  readonly show?: ToolOptions['show'];
}

/** Seconds within which a client must send back the signed state. Long, because the client may wait for its user to agree. */
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
  const where = collections.length === 0 ? '' : ` in ${which} ${collections.map(oneLine).join(', ')}`;
  return [
    `Searches the user's own documents${where}.`,
    'Before you answer from memory what these documents may say, call query_documents; it takes a question, words or code.',
    'When it finds nothing, write down what the answer might say and call search_with_hypothesis.',
    'Cite sources as path:start-end. read_document shows more of a document, related_documents what is linked with it.',
  ].join('\n');
}

export interface McpHttpHandler {
  fetch(request: Request): Promise<Response>;
  /** Ends running requests. */
  close(): Promise<void>;
}

/** Max bytes of a request body; arguments of tools are far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Max streams, open at the same time, on which clients wait for changes. */
const MAX_SUBSCRIPTIONS = 64;

/**
 * Makes a function from request to response. The caller must check access first. Each request gets a new server, so nothing is
 * kept between requests.
 */
export function createMcpHttpHandler(createServer: () => McpServer): McpHttpHandler {
  const { fetch, close } = createMcpHandler(createServer, {
    maxRequestBodySize: MAX_BODY_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  return {
    async fetch(request) {
      const response = await fetch(request);
      // For streams, the library sets this header to keep the connection open, even if the client asked to close it.
      response.headers.delete('connection');
      return response;
    },
    close,
  };
}
