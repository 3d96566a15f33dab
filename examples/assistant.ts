/** Documents for an assistant over MCP: inside a web server of your own, or on stdin and stdout when run. */
import { attachRun, createMcpHttpHandler, createMcpServerFactory, serveStdio } from 'docfuse/mcp';

/**
 * Answers requests in any server that speaks `Request` and `Response`; who may ask is for that server to decide.
 * @param folder with Markdown files
 */
export async function createHandler(folder: string) {
  const attached = await attachRun({ open: { roots: [folder] } });
  const createServer = createMcpServerFactory({
    run: attached.run,
    version: '1.0.0',
    collections: ['notes'],
  });
  const handler = createMcpHttpHandler(createServer);
  return {
    fetch: handler.fetch,
    async close() {
      await handler.close();
      await attached.close();
    },
  };
}

if (import.meta.main) {
  const [folder = 'examples/notes'] = process.argv.slice(2);
  const { signal } = new AbortController();
  await serveStdio({ open: { roots: [folder] }, attach: true, signal });
}
