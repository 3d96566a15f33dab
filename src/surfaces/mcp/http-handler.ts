/** Handles MCP over streamable HTTP. */
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

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
