/** MCP over streamable HTTP, as a function from request to response; who may ask is decided before it. */
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export interface McpHttpHandler {
  fetch(request: Request): Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** The largest body; arguments of tools are far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Streams on which clients may wait for changes at once. */
const MAX_SUBSCRIPTIONS = 64;

/** Every request is served by a server of its own, so nothing is kept between requests. */
export function createMcpHttpHandler(createServer: () => McpServer): McpHttpHandler {
  const { fetch, close } = createMcpHandler(createServer, {
    maxRequestBodySize: MAX_BODY_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  return {
    async fetch(request) {
      const response = await fetch(request);
      // The library asks to keep the connection of a stream, also where the client said that it must end.
      response.headers.delete('connection');
      return response;
    },
    close,
  };
}
