/** A tool: an operation made ready to be registered with any number of servers. */
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { oneLine } from '../../core/text/one-line.ts';
import { checkInput, type McpTool, type Operation } from '../operations/operation.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';
import { briefInput, briefOutput, type JsonSchema } from './brief-schema.ts';
import { mendSlips } from './mend-slips.ts';

/** Where a failed call holds its problem document: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

/** As a client sees it in the list of tools. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export interface Tool {
  readonly declaration: ToolDeclaration;
  /** Asks the client's own model while it runs, so it is offered only to clients that allow this. */
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
  const tool: McpTool = operation.mcp!;
  const { name, description = operation.description, defaults = {}, sampling = false } = tool;
  const input = toolInput(operation);
  return {
    declaration: {
      name,
      description: [`${operation.summary}.`, description].filter(Boolean).join(' '),
      inputSchema: name === FILTERS_ARE_TOLD_BY ? briefInput(input) : withoutFilters(briefInput(input)),
      outputSchema: briefOutput(tool.answer?.() ?? operation.output),
      annotations: { readOnlyHint: operation.readOnly, openWorldHint: false },
    },
    sampling,
    async call(args, context) {
      try {
        // The tool takes fewer fields than the operation; what it does not know is an error that names it.
        const mended = mendSlips(args, input);
        checkInput({ ...operation, name, input }, mended);
        return await work({ ...defaults, ...mended }, context);
      } catch (error) {
        return failedCall(error);
      }
    },
  };
}

/** The arguments of a tool, with its own defaults. */
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

/** Once is enough: they are a third of what all inputs take. */
const FILTERS_ARE_TOLD_BY = 'query_documents';

function withoutFilters(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, unknown>>;
  if (!properties['filters']) return schema;
  const filters = { type: 'object', description: `As in ${FILTERS_ARE_TOLD_BY}.` };
  return { ...schema, properties: { ...properties, filters } };
}

export function failedCall(error: unknown): CallToolResult {
  const problem = toProblem(toDocfuseError(error));
  const text = oneLine(`${problem.detail} ${problem.remedy}`);
  // Structured content belongs to the output schema, which a failure does not fit.
  return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
}
