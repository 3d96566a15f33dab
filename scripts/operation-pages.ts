/** Writes the reference of MCP tools and HTTP routes from the table of operations. */
import * as z from 'zod';
import type { KeySchema } from '../src/engine/config/config-schema.ts';
import { offered } from '../src/surfaces/http/openapi.ts';
import { parameterName } from '../src/surfaces/http/read-input.ts';
import { toolInput } from '../src/surfaces/mcp/tools.ts';
import { fieldsOf } from '../src/surfaces/operations/fields.ts';
import type { Operation } from '../src/surfaces/operations/operation.ts';
import { operations } from '../src/surfaces/operations/operations.ts';

const table: readonly Operation[] = operations;

/** @param note names the source of the page */
export function toolsPage(note: string): string {
  const tools = table.flatMap((operation) => {
    if (!operation.mcp) return [];
    const { name, answer, description = operation.description } = operation.mcp;
    const input = toolInput(operation);
    const output = answer?.() ?? operation.output;
    return [
      section(
        `\`${name}\``,
        { ...operation, ...(description && { description }), input, output },
        ({ path }) => path.join('.'),
        'argument',
      ),
    ];
  });
  const intro = `What [docfuse mcp](../guides/assistants.md) and \`/mcp\` of a server offer. Arguments are checked strictly; an answer is text for a reader, and the fields below as structured content.
A call that fails holds a problem document under \`_meta["docfuse/problem"]\`.`;
  return `# Tools\n\n${note}\n\n${intro}\n\n${tools.join('\n\n')}\n`;
}

/** @param note names the source of the page */
export function routesPage(note: string): string {
  const routes = table.flatMap((operation) =>
    operation.http ? [section(`\`${operation.http.path}\``, offered(operation), parameterName, 'field')] : [],
  );
  const intro = `Every route takes POST with a JSON object. Routes that neither write nor cost anything also take GET with query parameters: a dot leads into a nested field, and a list is the parameter repeated. A field in braces is part of the path.
The server describes all this at \`/openapi.json\`. [How to ask](../guides/http.md).`;
  return `# Routes\n\n${note}\n\n${intro}\n\n${routes.join('\n\n')}\n`;
}

type Asked = Pick<Operation, 'summary' | 'description' | 'input' | 'output'>;

function section(
  heading: string,
  { summary, description, input, output }: Asked,
  spell: (field: ReturnType<typeof fieldsOf>[number]) => string,
  kind: string,
): string {
  const asked = fieldsOf({ input }).map((field) => {
    const schema = field.schema as KeySchema;
    const usual = field.required
      ? 'required'
      : schema.default === undefined
        ? '–'
        : `\`${JSON.stringify(schema.default)}\``;
    const values = field.kind === 'map' ? 'map of strings or lists of strings' : valuesOf(schema);
    return `| \`${spell(field)}\` | ${values} | ${usual} | ${field.description} |`;
  });
  const { properties = {}, required = [] } = z.toJSONSchema(output, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, KeySchema>>;
    readonly required?: readonly string[];
  };
  const answered = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\` | ${valuesOf(schema)} | ${required.includes(name) ? 'always' : 'where there is one'} | ${schema.description ?? ''} |`,
  );
  return [
    `## ${heading}`,
    [`${summary}.`, description].filter(Boolean).join(' '),
    ...(asked.length === 0
      ? []
      : [[`| ${kind} | values | default | meaning |`, '| --- | --- | --- | --- |', ...asked].join('\n')]),
    ['| answer | values | there | meaning |', '| --- | --- | --- | --- |', ...answered].join('\n'),
  ].join('\n\n');
}

/** Values that a setting or a field takes, in words: `0–1`, `50 or more`, `headers, fixed`. */
export function valuesOf(schema: KeySchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(valuesOf).join(', or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'array') return listOf(schema.items);
  if (schema.type === 'object') return 'object';
  if (schema.type === 'string') return 'string';
  const kind = schema.type === 'integer' ? 'whole number' : 'number';
  const minimum = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (minimum !== undefined && maximum !== undefined) return `${kind}, ${minimum}–${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}

function listOf(items: KeySchema | undefined): string {
  if (items?.enum !== undefined) return `list of ${valuesOf(items)}`;
  return items?.type === 'object' ? 'list of objects' : 'list of strings';
}
