/** The OpenAPI 3.1 document of the HTTP API, written from the table of operations. */
import * as z from 'zod';
import { type Field, fieldsOf } from '../operations/fields.ts';
import type { Operation } from '../operations/operation.ts';
import { EVENT_COMPONENTS, eventStream } from './describe-events.ts';
import { parameterName } from './query-input.ts';
import type { Route } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param token whether this server asks for one */
export function openapiDocument(routes: readonly Route[], version: string, token: boolean): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'docfuse', version, description: INTRO, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths: Object.fromEntries([...routes.map(pathOf), ...OTHER_PATHS]),
    components: {
      schemas: Object.fromEntries([
        ...routes.flatMap(schemasOf),
        ['problem', PROBLEM],
        ...Object.entries(EVENT_COMPONENTS),
      ]),
      responses: {
        problem: { description: 'What failed and what to do (RFC 9457).', content: PROBLEM_CONTENT },
      },
      ...(token && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
    ...(token && { security: [{ token: [] }] }),
  };
}

const INTRO =
  'Search Markdown by meaning, words and code. Every operation takes POST with JSON and GET with query parameters: ' +
  'nested fields are joined by dots, lists are repeated parameters. A request that accepts text/event-stream is told how far ' +
  'the work has come, where that takes time: events `progress`, and last of all `answer` or `problem`.';

const PROBLEM: Json = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What failed.' },
    code: { type: 'string' },
    remedy: { type: 'string', description: 'What to do.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'remedy'],
  additionalProperties: false,
};
const PROBLEM_CONTENT = { 'application/problem+json': { schema: { $ref: '#/components/schemas/problem' } } };
const FAILURE = { default: { $ref: '#/components/responses/problem' } };

const OTHER_PATHS: readonly (readonly [string, Json])[] = [
  [
    '/api/events',
    {
      get: {
        operationId: 'events',
        summary: 'Listen to what happens to the index',
        description:
          'Server-sent events: `progress` while files are read and passages embedded, `changed` with the documents of a ' +
          'sync, `reset` when events were missed. Last-Event-ID continues where a listener left off.',
        parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'Events.',
            content: eventStream({
              progress: ref('progress'),
              changed: ref('changed'),
              reset: { type: 'object', additionalProperties: false },
            }),
          },
          ...FAILURE,
        },
      },
    },
  ],
  [
    '/healthz',
    {
      get: {
        operationId: 'health',
        summary: 'Tell whether the server is up',
        security: [],
        parameters: [
          {
            ...{ name: 'challenge', in: 'query', required: false, schema: { type: 'string' } },
            description: '64 hexadecimal digits, from a client that has the key of the user who serves.',
          },
        ],
        responses: {
          200: {
            description: 'It is.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    status: { const: 'ok' },
                    version: { type: 'string' },
                    proof: { type: 'string', description: 'Of that key, for the challenge.' },
                  },
                  required: ['status', 'version'],
                  additionalProperties: false,
                },
              },
            },
          },
          ...FAILURE,
        },
      },
    },
  ],
];

function pathOf({ operation, path }: Route): readonly [string, Json] {
  const { name, summary, description } = operation;
  const about = { summary, ...(description && { description }) };
  const inPath = new Set(fieldsInPath(path));
  const places = [...inPath].map((field) => parameterOf(operation, field));
  const query = fieldsOf(operation).filter((field) => !inPath.has(parameterName(field)));
  const responses = {
    200: {
      description: 'The answer.',
      content: {
        'application/json': { schema: ref(`${name}_output`) },
        ...eventStream({ progress: ref('progress'), answer: ref(`${name}_output`), problem: ref('problem') }),
      },
    },
    ...FAILURE,
  };
  const body = { required: true, content: { 'application/json': { schema: ref(`${name}_input`) } } };
  return [
    path,
    {
      get: {
        operationId: `${name}_get`,
        ...about,
        ...describeMaps(query, description),
        parameters: [...places, ...query.filter(({ kind }) => kind !== 'map').map(queryParameter)],
        responses,
      },
      post: { operationId: name, ...about, parameters: places, requestBody: body, responses },
    },
  ];
}

function schemasOf({ operation, path }: Route): [string, Json][] {
  const { name, input, output } = operation;
  const inPath = Object.fromEntries(fieldsInPath(path).map((field) => [field, true])) as Record<
    string,
    never
  >;
  return [
    ...components(`${name}_input`, z.toJSONSchema(input.omit(inPath), { io: 'input' })),
    ...components(`${name}_output`, z.toJSONSchema(output, { io: 'output' })),
  ];
}

/** A schema as a component, and after it each schema it defines inside itself as one of its own. */
function components(name: string, { $schema: _, ...schema }: Json): [string, Json][] {
  const text = JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/_*(\w+)"/g,
    `"#/components/schemas/${name}_$1"`,
  );
  const { $defs = {}, ...own } = JSON.parse(text) as Json & {
    readonly $defs?: Readonly<Record<string, Json>>;
  };
  const inner = Object.entries($defs).map(([key, each]): [string, Json] => [
    `${name}_${key.replace(/^_+/, '')}`,
    each,
  ]);
  return [[name, own], ...inner];
}

/** Names in braces. */
function fieldsInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
}

function parameterOf(operation: Operation, name: string): Json {
  const field = fieldsOf(operation).find((each) => parameterName(each) === name)!;
  return { name, in: 'path', required: true, schema: withoutDescription(field) };
}

/** OpenAPI has no parameters that say `name.key=value`, and one of another name would be sent as it is written. */
function describeMaps(fields: readonly Field[], description: string | undefined): Json {
  const maps = fields.filter(({ kind }) => kind === 'map');
  if (maps.length === 0) return {};
  const written = maps.map((map) => {
    const name = parameterName(map);
    return `In the query, ${name} is written as ${name}.KEY=VALUE: ${map.description}`;
  });
  return { description: [...(description ? [description] : []), ...written].join(' ') };
}

function queryParameter(field: Field): Json {
  const { required, description } = field;
  return {
    name: parameterName(field),
    in: 'query',
    required,
    ...(description && { description }),
    schema: withoutDescription(field),
  };
}

function withoutDescription({ schema }: Field): Json {
  const { description: _, ...rest } = schema as Json;
  return rest;
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
