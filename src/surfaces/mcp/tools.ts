/** MCP tools read off the table of operations. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { DocfuseError } from '../../core/errors.ts';
import type { Operation, RunOperation } from '../operations/operation.ts';
import type { Asked } from '../operations/written-answer.ts';
import { answerTool } from './answer-tool.ts';
import { passingSchema } from './passing-schema.ts';
import { progressReporter } from './progress.ts';
import { createTool, failedCall, type Tool } from './tool.ts';
import { type ToolContent, toolText } from './tool-text.ts';

export interface ToolOptions {
  readonly run: RunOperation;
  /** Signs what a tool must know again once the client’s model has answered: it travels to the client and back. */
  readonly state: RequestStateCodec<Asked>;
  /** An answer for the reader. @default as Markdown, by operation */
  readonly show?: (operation: Operation, output: unknown) => ToolContent;
}

/** One tool for each operation that declares one, in their order. */
export function toolsOf(
  operations: readonly Operation[],
  { run, state, show = toolText }: ToolOptions,
): readonly Tool[] {
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    const answer = (output: unknown, args: Readonly<Record<string, unknown>> = {}): CallToolResult => {
      const short = shortOutput(operation, output, args);
      return { content: [...show(operation, short)], structuredContent: short };
    };
    if (operation.mcp.sampling) return [answerTool(operation, { run, state, answer })];
    return [
      createTool(operation, async (args, context) => {
        const { signal } = context.mcpReq;
        const onProgress = progressReporter(context);
        return answer(await run(operation, args, { signal, ...(onProgress && { onProgress }) }), args);
      }),
    ];
  });
}

/** What a tool gives of an operation's output: its `answer`. */
export function shortOutput(
  { mcp }: Pick<Operation, 'mcp'>,
  output: unknown,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const whole = mcp?.shorten ? mcp.shorten(output as never, args) : output;
  return (mcp?.answer?.().parse(whole) ?? whole) as Readonly<Record<string, unknown>>;
}

export function registerTools(server: McpServer, tools: readonly Tool[]): void {
  for (const { declaration, sampling, call } of tools) {
    const { name, inputSchema, outputSchema, ...about } = declaration;
    const schemas = {
      inputSchema: passingSchema<Readonly<Record<string, unknown>>>(inputSchema),
      outputSchema: passingSchema(outputSchema),
    };
    server.registerTool(name, { ...about, ...schemas }, async (args, context) =>
      sampling && !offersSampling(server, context) ? failedCall(withoutSampling(name)) : call(args, context),
    );
  }
  // The SDK would list the same for every client.
  server.server.setRequestHandler('tools/list', (_, context) => {
    const offered = offersSampling(server, context) ? tools : tools.filter(({ sampling }) => !sampling);
    return { tools: offered.map(({ declaration }) => ({ ...declaration })) };
  });
}

/** Whether the client lets its model be asked: it says so with each request, before 2026 once for all in its handshake. */
function offersSampling(server: McpServer, { mcpReq }: ServerContext): boolean {
  // The SDK checks the fields that come with a request, and gives them no type.
  const envelope: { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  return declared?.sampling !== undefined;
}

function withoutSampling(name: string): DocfuseError {
  return new DocfuseError(
    'usage',
    `${name} asks the model of the client, and this connection offers no sampling.`,
    'Call query_documents and answer from its passages.',
  );
}
