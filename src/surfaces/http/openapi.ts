/** Describes the HTTP API from the table of operations: as an OpenAPI 3.1 document. */
import * as z from 'zod';
import { type Field, fieldsOf } from '../operations/fields.ts';
import { type Operation, runOperation } from '../operations/operation.ts';
import { listOf } from '../operations/shapes.ts';
import { parameterName } from './read-input.ts';

type Json = Readonly<Record<string, unknown>>;

type Route = ReturnType<typeof routesOf>[number];

/** The operations that the HTTP API offers, each with the path of its route: fields of the input are in braces. */
export function routesOf(operations: readonly Operation[]) {
  return operations.flatMap((operation) =>
    operation.http ? [{ operation: offered(operation), path: operation.http.path }] : [],
  );
}

/** Returns the operation with only the input fields that a request may have. */
export function offered(operation: Operation): Operation {
  const { guarded } = operation.http ?? {};
  if (!guarded) return operation;
  return {
    ...operation,
    input: operation.input.pick(selected(guarded.fields)),
    run: (context, input, control) => runOperation(operation, context, input, control),
  };
}

/** @param token whether requests need a token */
export function openapiDocument(routes: readonly Route[], version: string, token: boolean): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'docfuse', version, description: INTRO, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths: { ...Object.fromEntries(routes.map(pathOf)), ...OTHER_PATHS },
    components: {
      schemas: {
        ...Object.fromEntries(routes.flatMap(schemasOf)),
        problem: PROBLEM,
        progress: withoutDialect(z.toJSONSchema(PROGRESS)),
        text: withoutDialect(z.toJSONSchema(TEXT_PIECE)),
        changed: withoutDialect(z.toJSONSchema(CHANGED)),
      },
      responses: {
        problem: {
          description: 'What failed and what to do (RFC 9457).',
          content: { 'application/problem+json': { schema: ref('problem') } },
        },
      },
      ...(token && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
    ...(token && { security: [{ token: [] }] }),
  };
}

const INTRO =
  'Search Markdown by meaning, words and code. Every operation takes POST with JSON; those that neither write nor cost ' +
  'anything also take GET with query parameters: nested fields are joined by dots, lists are repeated parameters. A request ' +
  'that accepts text/event-stream gets the progress of long work as events `progress`, pieces of a text as events `text`, ' +
  'and at the end `answer` or `problem`.';

const TEXT = { type: 'string' } as const;

const PROBLEM: Json = {
  type: 'object',
  properties: {
    type: TEXT,
    title: TEXT,
    status: { type: 'integer' },
    detail: { ...TEXT, description: 'What failed.' },
    code: TEXT,
    remedy: { ...TEXT, description: 'What to do.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'remedy'],
  additionalProperties: false,
};

const PROGRESS = z.strictObject({
  phase: z
    .enum(['copy', 'read', 'embed', 'publish', 'query', 'fit'])
    .describe(
      'Vectors of a former index are copied, files read, passages embedded, documents published, judged queries searched, or ' +
        'weights fitted.',
    ),
  done: z
    .int()
    .min(0)
    .describe(
      'Number of items done in this phase: vectors, files, passages, documents, queries or fits. Earlier runs count, too.',
    ),
  total: z.int().min(0),
  share: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the work of this run that is done; present if passages differ in length.'),
  sending: z
    .strictObject({ host: z.string(), passages: z.int().min(0), tokens: z.int().min(0) })
    .optional()
    .describe(
      'Sent once, before more than 1,000 passages go to a service on another machine. Tokens are estimated.',
    ),
  model: z.string().optional().describe('The embedding model at work; present if the index has two.'),
});

const TEXT_PIECE = z.strictObject({ text: z.string().describe('The next piece of the answer.') });

const CHANGED = z.strictObject({
  documents: listOf({
    document: z.string().describe('<collection>/<path>'),
    change: z.enum(['added', 'changed', 'removed']),
  }),
});

const OTHER_PATHS: Json = {
  '/api/events': {
    get: {
      operationId: 'events',
      summary: 'Listen to what happens to the index',
      description:
        'Server-sent events: `progress` while files are read and passages embedded, `changed` with the documents of a ' +
        'sync, `reset` when events were missed. With Last-Event-ID, the stream begins after that event.',
      parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: TEXT }],
      responses: answers(
        'Events.',
        eventStream({
          progress: ref('progress'),
          changed: ref('changed'),
          reset: { type: 'object', additionalProperties: false },
        }),
      ),
    },
  },
  '/healthz': {
    get: {
      operationId: 'health',
      summary: 'Tell whether the server is up',
      security: [],
      parameters: [
        {
          name: 'challenge',
          in: 'query',
          required: false,
          schema: TEXT,
          description: '64 hexadecimal digits. With them, the server proves that it has the key of its user.',
        },
      ],
      responses: answers('The server is up.', {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              status: { enum: ['ok', 'draining'], description: '`draining` comes with status 503.' },
              version: TEXT,
              proof: {
                ...TEXT,
                description: "Proof that the server has the user's key, computed from `challenge`.",
              },
            },
            required: ['status', 'version'],
            additionalProperties: false,
          },
        },
      }),
    },
  },
};

function pathOf({ operation, path }: Route): readonly [string, Json] {
  const { name, summary, description } = operation;
  const about = { summary, ...(description && { description }) };
  const { true: inPath = [], false: others = [] } = Object.groupBy(fieldsOf(operation), (field) =>
    path.includes(`{${parameterName(field)}}`) ? 'true' : 'false',
  );
  const places = inPath.map((field) => parameterOf(field, 'path'));
  const responses = answers('The answer.', {
    'application/json': { schema: ref(`${name}_output`) },
    ...eventStream({
      progress: ref('progress'),
      text: ref('text'),
      answer: ref(`${name}_output`),
      problem: ref('problem'),
    }),
  });
  const query = others.filter(({ kind }) => kind !== 'map').map((field) => parameterOf(field, 'query'));
  const body = { required: true, content: { 'application/json': { schema: ref(`${name}_input`) } } };
  const get = {
    operationId: `${name}_get`,
    ...about,
    ...describeMaps(others, description),
    parameters: [...places, ...query],
    responses,
  };
  return [
    path,
    {
      ...(!operation.http?.guarded && { get }),
      post: { operationId: name, ...about, parameters: places, requestBody: body, responses },
    },
  ];
}

/** Returns the responses of a route: `content` with status 200, otherwise a problem. */
function answers(description: string, content: Json): Json {
  return { 200: { description, content }, default: { $ref: '#/components/responses/problem' } };
}

/**
 * Returns the content of a response with server-sent events.
 * @param events schemas of the events' data, by the name of the event. The data is one line of JSON
 */
function eventStream(events: Readonly<Record<string, Json>>): Json {
  const oneOf = Object.entries(events).map(([event, data]) => ({
    type: 'object',
    properties: { event: { const: event }, data },
    required: ['event', 'data'],
    additionalProperties: false,
  }));
  const description = 'Each event of the stream, with its data read as JSON.';
  return { 'text/event-stream': { schema: { description, oneOf } } };
}

/** Returns the schema of the input, without the fields in the path, and the schema of the output. */
function schemasOf({ operation: { name, input, output }, path }: Route): [string, Json][] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
  return [
    ...components(`${name}_input`, z.toJSONSchema(input.omit(selected(inPath)), { io: 'input' })),
    ...components(`${name}_output`, z.toJSONSchema(output, { io: 'output' })),
  ];
}

/** Returns the fields in the form that `pick` and `omit` of zod expect. */
function selected(fields: readonly string[]): Record<string, never> {
  return Object.fromEntries(fields.map((field) => [field, true])) as Record<string, never>;
}

/** Returns one component for the schema, and one for each schema in its `$defs`. */
function components(name: string, schema: Json): [string, Json][] {
  const text = JSON.stringify(withoutDialect(schema)).replaceAll(
    /"#\/\$defs\/_*(\w+)"/g,
    `"#/components/schemas/${name}_$1"`,
  );
  const { $defs = {}, ...own }: { readonly $defs?: Readonly<Record<string, Json>> } = JSON.parse(text);
  const inner = Object.entries($defs).map(([key, each]): [string, Json] => [
    `${name}_${key.replace(/^_+/, '')}`,
    each,
  ]);
  return [[name, own], ...inner];
}

/** Describes map fields in words: OpenAPI cannot declare parameters of the form `name.key=value`. */
function describeMaps(fields: readonly Field[], description: string | undefined): Json {
  const written = fields
    .filter(({ kind }) => kind === 'map')
    .map((map) => {
      const name = parameterName(map);
      return `In the query string, write \`${name}\` as \`${name}.KEY=VALUE\`. ${map.description}`;
    });
  return written.length === 0 ? {} : { description: [description, ...written].filter(Boolean).join(' ') };
}

function parameterOf(field: Field, place: 'path' | 'query'): Json {
  const { required, description } = field;
  const { description: _, ...schema } = field.schema;
  const told = place === 'query' && description && { description };
  return { name: parameterName(field), in: place, required, ...told, schema };
}

function withoutDialect({ $schema: _, ...schema }: Json): Json {
  return schema;
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
