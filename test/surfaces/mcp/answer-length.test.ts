/** How much of a model's memory an answer takes: all of it counts, as it is sent. */
import { fileURLToPath } from 'node:url';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Index } from '../../../src/engine/api.ts';
import { open } from '../../../src/engine/open.ts';
import { lendIndex } from '../../../src/engine/shared-index.ts';
import { type ToolOptions, toolsOf } from '../../../src/surfaces/mcp/tools.ts';
import { type OperationContext, runOperation } from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { textOf } from './connect.ts';

const MAX_TEXT = 4_500;
const MAX_STRUCTURED = 6_000;

const indexPath = sharedFolder();
let index: Index;
beforeAll(async () => {
  index = await open({ roots: [fileURLToPath(new URL('../../../docs', import.meta.url))], indexPath });
  await index.sync({ embed: false });
});
afterAll(async () => {
  await index.close();
});

test.each([
  'how are scores calibrated',
  'what happens when the index is damaged',
  'how do I exclude a folder',
  'which settings weigh the lanes',
  'install docfuse for an assistant',
  'how much memory does indexing take',
  'BM25F',
  'docfuse serve --token',
  'is it open on sundays',
  'what is sent over the network',
])('the answer to “%s”', async (query) => {
  const { structured, ...lengths } = await call('query_documents', { query });
  expectShort(lengths);
  if (query.includes('sundays')) expect(structured).toMatchObject({ unsure: [{}, {}, {}] });
  const { hits, unsure } = structured as Record<'hits' | 'unsure', { readonly confidence: string }[]>;
  expect(hits!.length + unsure!.length).toBeGreaterThan(0);
  for (const { confidence } of [...hits!, ...unsure!]) expect(confidence).toMatch(/^(high|fair|low)$/);
});

test('an answer with explanations: the lanes of the first hit, and the sum of the others', async () => {
  const query = 'how are scores calibrated';
  const { structured, text, json } = await call('query_documents', { query, explain: true });
  expect(text).toBeLessThanOrEqual(10_000);
  expect(json).toBeLessThanOrEqual(10_000);
  const [first, second] = (structured as { readonly hits: readonly unknown[] }).hits;
  expect(JSON.stringify(first)).toContain('"label":"keyword"');
  expect(JSON.stringify(second)).not.toContain('"label":"keyword"');
  expect(second).toMatchObject({ explanation: { label: 'score', parts: expect.any(Array) } });
});

test('a page of the list of documents', async () => {
  const { structured, ...lengths } = await call('list_documents', {});
  expectShort(lengths);
  expect(structured).toMatchObject({ next_cursor: expect.any(String) });
});

function expectShort({ text, json }: { readonly text: number; readonly json: number }): void {
  expect(text).toBeLessThanOrEqual(MAX_TEXT);
  expect(json).toBeLessThanOrEqual(MAX_STRUCTURED);
}

async function call(name: string, args: Readonly<Record<string, unknown>>) {
  const context: OperationContext = { options: {}, now: Date.now, open: async () => lendIndex(index) };
  const run: ToolOptions['run'] = async (operation, input, control) =>
    runOperation(
      operation,
      context,
      { ...input, ...(name === 'query_documents' && { wait: false }) },
      control,
    );
  const { state } = {} as ToolOptions;
  const tool = toolsOf(operations, { run, state }).find(({ declaration }) => declaration.name === name)!;
  const mcpReq = { signal: new AbortController().signal };
  const answer = (await tool.call(args, { mcpReq } as unknown as ServerContext)) as CallToolResult;
  expect(answer.isError).toBeUndefined();
  const { content, structuredContent: structured = {} } = answer;
  return { text: textOf({ content }).length, json: JSON.stringify(structured).length, structured };
}
