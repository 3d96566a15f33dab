/** Makes MCP tools from the table of operations. They can be registered with any number of servers. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Asked } from '../operations/ask.ts';
import { checkInput, type McpTool, type Operation, type RunOperation } from '../operations/operation.ts';
import { answerBySampling, type ToolCall } from './answer-tool.ts';
import { controlOf, failedCall } from './call.ts';
import { mendSlips } from './mend-slips.ts';
import { briefInput, briefOutput, type JsonSchema, passingSchema } from './schemas.ts';
import { type ToolContent, toolText } from './tool-text.ts';

export interface ToolOptions {
  readonly run: RunOperation;
  /** Signs the state that a tool needs after the client’s model has answered: the state is sent to the client and comes back. */
  readonly state: RequestStateCodec<Asked>;
  /** Writes an answer as content for the model. @default `toolText` */
  readonly show?: (operation: Operation, output: unknown) => ToolContent;
}

type Fields = Readonly<Record<string, unknown>>;

export type Tool = ReturnType<typeof createTool>;

/** Makes a tool for each operation that has `mcp`, in the order of the operations. */
export function toolsOf(
  operations: readonly Operation[],
  { run, state, show = toolText }: ToolOptions,
): readonly Tool[] {
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    // Made once, not in each call: zod compiles a new schema at its first use.
    const schema = operation.mcp.answer?.();
    const answer = (output: unknown, args: Fields = {}): CallToolResult => {
      const short = shortOutput(operation, output, args, schema);
      return { content: [...show(operation, short)], structuredContent: short };
    };
    const work: ToolCall = operation.mcp.sampling
      ? answerBySampling({ run, state, answer })
      : async (args, context) => answer(await run(operation, args, controlOf(context)), args);
    return [createTool(operation, operation.mcp, schema ?? operation.output, work)];
  });
}

/** @param work called with checked arguments */
function createTool(operation: Operation, tool: McpTool, output: z.ZodObject, work: ToolCall) {
  const { name, description = operation.description, defaults = {}, sampling = false } = tool;
  const input = toolInput(operation);
  /** Never rejects: a failure is an answer with `isError`. */
  const call: ToolCall = async (args, context) => {
    try {
      // A tool has fewer fields than its operation. `checkInput` refuses other fields by name.
      const mended = mendSlips(args, input);
      checkInput({ name, input }, mended);
      return await work({ ...defaults, ...mended }, context);
    } catch (error) {
      return failedCall(error);
    }
  };
  return {
    /** The entry of the tool in the list that clients read. */
    declaration: {
      name,
      description: [`${operation.summary}.`, description].filter(Boolean).join(' '),
      inputSchema: name === TOOL_WITH_FILTERS ? briefInput(input) : withoutFilters(briefInput(input)),
      outputSchema: briefOutput(output),
      annotations: { readOnlyHint: operation.readOnly, openWorldHint: false },
    },
    /** Whether the tool asks the client's own model. Such a tool is offered only to clients that allow sampling. */
    sampling,
    call,
  };
}

/** The schema of a tool's arguments, with the tool's own defaults. */
export function toolInput({ input, mcp }: Operation): z.ZodObject {
  const { arguments: fields, defaults = {} }: McpTool = mcp!;
  return z.strictObject(
    Object.fromEntries(
      fields.map((field) => {
        const schema = input.shape[field]!;
        if (!(field in defaults)) return [field, schema];
        const told = schema.description?.replace(/ \(default: .*\)/, '') ?? '';
        return [field, schema.default(defaults[field]).describe(told)];
      }),
    ),
  );
}

/** The only tool that describes filters. If every tool described them, filters would be a third of all input schemas. */
const TOOL_WITH_FILTERS = 'query_documents';

function withoutFilters(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, unknown>>;
  if (!properties['filters']) return schema;
  const filters = { type: 'object', description: `As in ${TOOL_WITH_FILTERS}.` };
  return { ...schema, properties: { ...properties, filters } };
}

/** Shortens the output of an operation to the fields of `answer`, the output schema of its tool. */
export function shortOutput(
  { mcp }: Pick<Operation, 'mcp'>,
  output: unknown,
  args: Fields,
  answer = mcp?.answer?.(),
): Fields {
  const whole = mcp?.shorten ? mcp.shorten(output as never, args) : output;
  return (answer?.parse(whole) ?? whole) as Fields;
}

export function registerTools(server: McpServer, tools: readonly Tool[]): void {
  for (const { declaration, sampling, call } of tools) {
    const { name, inputSchema, outputSchema, ...about } = declaration;
    const schemas = {
      inputSchema: passingSchema<Fields>(inputSchema),
      outputSchema: passingSchema(outputSchema),
    };
    server.registerTool(name, { ...about, ...schemas }, async (args, context) =>
      sampling && !offersSampling(server, context) ? failedCall(withoutSampling(name)) : call(args, context),
    );
  }
  // Replaces the list of the SDK, which would offer every tool to every client.
  server.server.setRequestHandler('tools/list', (_, context) => {
    const offered = offersSampling(server, context) ? tools : tools.filter(({ sampling }) => !sampling);
    return { tools: offered.map(({ declaration }) => ({ ...declaration })) };
  });
}

/** Whether the client offers sampling. Since protocol 2026-07-28, each request says so; before that, the handshake says so. */
function offersSampling(server: McpServer, { mcpReq }: ServerContext): boolean {
  // The SDK checks these fields of a request but gives them no type.
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
