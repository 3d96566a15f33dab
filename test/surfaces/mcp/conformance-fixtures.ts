/** What the conformance suite expects of a server: its tools as operations, its resources and prompts beside ours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ToolContent } from '../../../src/surfaces/mcp/tool-text.ts';
import { defineOperation, type Operation } from '../../../src/surfaces/operations/operation.ts';

/** A red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** No sound at all. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA=';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;

/** Contents of the answers, by operation. */
const CONTENTS: Readonly<Record<string, ToolContent>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [resource('test://embedded-resource', 'text/plain', 'An embedded resource.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_tool_with_progress: [text('Done.')],
};

export const fixtureOperations: readonly Operation[] = [
  ...[
    'test_simple_text',
    'test_image_content',
    'test_audio_content',
    'test_embedded_resource',
    'test_multiple_content_types',
  ].map((name) => fixture(name, async () => {})),
  fixture('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  fixture('test_tool_with_progress', async (onProgress) => {
    for (const done of [0, 50, 100]) {
      onProgress?.({ phase: 'read', done, total: 100 });
      await sleep(50);
    }
  }),
];

export function showFixture({ name }: Operation): ToolContent {
  return CONTENTS[name]!;
}

/** What no operation of ours does: it logs, is watched, or is no document. */
export function mountFixtures(server: McpServer): McpServer {
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  server.registerTool('test_tool_with_logging', { description: 'Logs three times.' }, async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', data);
      await sleep(50);
    }
    return { content: [text('Done.')] };
  });
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}));
  }
  const about = { mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', about, ({ href: uri }) => ({
    contents: [{ uri, ...about, text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', {}, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }));
  const user = <Content>(content: Content) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const argument = completable(z.string(), () => ['testValue1']);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
  return server;
}

function fixture(
  name: string,
  work: (onProgress: Parameters<Operation['run']>[2]['onProgress']) => Promise<void>,
): Operation {
  return defineOperation({
    name,
    summary: 'Answer as the suite expects',
    input: () => ({}),
    output: () => ({}),
    readOnly: true,
    mcp: { name, arguments: [] },
    async run(_context, _input, { onProgress }) {
      await work(onProgress);
      return {};
    },
  });
}

function resource(uri: string, mimeType: string, words: string) {
  return { type: 'resource', resource: { uri, mimeType, text: words } } as const;
}
