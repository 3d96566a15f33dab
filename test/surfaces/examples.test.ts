/** The examples run as they are written; what they print is what this says. */
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { createHandler } from '../../examples/assistant.ts';
import { answer } from '../../examples/search.ts';
import { answer as answerServed } from '../../examples/serve.ts';
import { createPlayground } from './cli/docfuse.ts';

const notes = fileURLToPath(new URL('../../examples/notes', import.meta.url));
const QUESTION = 'how do I rotate tokens';

const playground = createPlayground({}, { packagedModel: true });
const before = process.env.DOCFUSE_INDEX;
process.env.DOCFUSE_INDEX = playground.folder;
afterAll(() => {
  if (before === undefined) delete process.env.DOCFUSE_INDEX;
  else process.env.DOCFUSE_INDEX = before;
  playground[Symbol.dispose]();
});

test('examples/search.ts answers from its notes', async () => {
  const lines = await answer(notes, QUESTION);
  expect(lines[0]).toMatch(/^rotate-tokens\.md:\d+ {2}.+ {2}[01]\.\d\d$/);
  expect(lines).not.toContain('');
  expect(lines.at(-1)).toMatch(/^similar: .+\.md$/);
});

test('examples/serve.ts answers over HTTP', async () => {
  expect((await answerServed(notes, QUESTION))[0]).toMatch(/^rotate-tokens\.md {2}[01]\.\d\d$/);
});

test('examples/assistant.ts answers a client of MCP without a port', async () => {
  const handler = await createHandler(notes);
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  try {
    await client.connect(transport);
    const { structuredContent } = await client.callTool({
      name: 'query_documents',
      arguments: { query: QUESTION },
    });
    expect(structuredContent).toMatchObject({
      hits: [{ document_id: expect.stringMatching(/\/rotate-tokens\.md$/) }],
    });
  } finally {
    await client.close();
    await handler.close();
  }
});
