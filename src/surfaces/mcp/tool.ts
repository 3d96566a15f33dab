/** A tool: an operation made ready to be registered with any number of servers. */
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { oneLine } from '../../core/text/one-line.ts';
import { checkInput, type Operation } from '../operations/operation.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';

/** Where a failed call holds its problem document: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/** As a client sees it in the list of tools. */
export interface ToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export interface Tool {
  readonly declaration: ToolDeclaration;
  /** Asks the client's own model in its course, so that it is offered only where the client lets it be asked. */
  readonly sampling: boolean;
  /** Never rejects: what fails is an answer with `isError`. */
  call(
    input: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>;
}

type Work = (...call: Parameters<Tool['call']>) => ReturnType<Tool['call']>;

/**
 * Makes the tool of an operation that declares one.
 * @param work what it does with arguments that are right
 */
export function createTool(operation: Operation, work: Work): Tool {
  const { name, arguments: fields, description = operation.description, sampling = false } = operation.mcp!;
  const input = operation.input.pick(
    Object.fromEntries(fields.map((field) => [field, true as const])) as Record<string, true>,
  );
  return {
    declaration: {
      name,
      title: operation.summary,
      description: [`${operation.summary}.`, description].filter(Boolean).join(' '),
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as unknown as JsonSchema,
      outputSchema: z.toJSONSchema(operation.output, { io: 'input' }) as unknown as JsonSchema,
      annotations: { readOnlyHint: operation.readOnly, openWorldHint: false },
    },
    sampling,
    async call(args, context) {
      try {
        // The tool takes fewer fields than the operation; what it does not know is an error that names it.
        checkInput({ ...operation, name, input }, args);
        return await work(args, context);
      } catch (error) {
        return failedCall(error);
      }
    },
  };
}

export function failedCall(error: unknown): CallToolResult {
  const problem = toProblem(toDocfuseError(error));
  const text = oneLine(`${problem.detail} ${problem.remedy}`);
  // Structured content belongs to the output schema, which a failure does not fit.
  return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
}
