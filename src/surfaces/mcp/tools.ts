/** MCP tools read off the table of operations. */
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { checkInput, type Operation } from '../operations/operation.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';
import { passingSchema } from './passing-schema.ts';
import { progressReporter } from './progress.ts';
import type { RunOperation } from './run-operation.ts';
import { type ToolContent, toolText } from './tool-text.ts';

/** Where a failed call holds its problem document: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

/** An operation made ready to be registered with any number of servers. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON<Readonly<Record<string, unknown>>>;
  readonly outputSchema: StandardSchemaWithJSON;
  readonly annotations: ToolAnnotations;
  call(input: Readonly<Record<string, unknown>>, context: ServerContext): Promise<CallToolResult>;
}

export interface ToolOptions {
  readonly run: RunOperation;
  /** An answer for the reader. @default as Markdown, by operation */
  readonly show?: (operation: Operation, output: unknown) => ToolContent;
}

/** One tool for each operation that declares one, in their order. */
export function toolsOf(operations: readonly Operation[], options: ToolOptions): readonly Tool[] {
  return operations.flatMap((operation) => (operation.mcp ? [toTool(operation, options)] : []));
}

export function registerTools(server: McpServer, tools: readonly Tool[]): void {
  for (const { name, call, ...declaration } of tools) server.registerTool(name, declaration, call);
}

function toTool(operation: Operation, { run, show = toolText }: ToolOptions): Tool {
  const { name, arguments: fields } = operation.mcp!;
  const input = operation.input.pick(
    Object.fromEntries(fields.map((field) => [field, true as const])) as Record<string, true>,
  );
  return {
    name,
    title: operation.summary,
    description: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
    inputSchema: passingSchema(z.toJSONSchema(input, { io: 'input' })),
    outputSchema: passingSchema(z.toJSONSchema(operation.output, { io: 'input' })),
    annotations: { readOnlyHint: operation.readOnly, openWorldHint: false },
    async call(args, context) {
      const { signal } = context.mcpReq;
      try {
        // The tool takes fewer fields than the operation; what it does not know is an error that names it.
        checkInput({ ...operation, name, input }, args);
        const onProgress = progressReporter(context);
        const output = await run(operation, args, { signal, ...(onProgress && { onProgress }) });
        return {
          content: [...show(operation, output)],
          structuredContent: output as Readonly<Record<string, unknown>>,
        };
      } catch (error) {
        const problem = toProblem(toDocfuseError(error));
        const text = `${problem.detail} ${problem.remedy}`;
        // Structured content belongs to the output schema, which a failure does not fit.
        return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
      }
    },
  };
}
