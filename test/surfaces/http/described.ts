/** The OpenAPI document of a server as checks: what a route takes and what it answers. */
import * as z from 'zod';
import { type ReceivedEvent, readEvents } from '../../../src/surfaces/attach/read-events.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Described {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

export type PathItem = Readonly<Record<'get' | 'post', OperationItem | undefined>>;

export interface OperationItem {
  readonly operationId: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    required: boolean;
    schema: Json;
    description?: string;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Json }>> }
    >
  >;
}

/** A schema of the document as a zod schema; what it refers to comes with it. */
export function checkOf({ components }: Described, schema: Json): z.ZodType {
  const whole = { ...schema, $defs: components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as z.core.JSONSchema.JSONSchema);
}

/** What is wrong with an answer by the description of its route; empty when nothing is. */
export async function complaintsAbout(
  described: Described,
  item: OperationItem,
  answer: Response,
): Promise<readonly string[]> {
  const found = answer.headers.get('content-type') ?? '';
  if (found === EVENTS) return complaintsAboutEvents(described, item, await eventsOf(answer));
  const problem = answer.status !== 200;
  const type = problem ? 'application/problem+json' : 'application/json';
  const schema = problem ? { $ref: '#/components/schemas/problem' } : schemaOf(item, type);
  const body: unknown = await answer.json();
  return [
    ...(found === type ? [] : [`content type ${found}`]),
    ...(answer.status >= 500 ? [`status ${answer.status}: ${JSON.stringify(body)}`] : []),
    ...complaintsBy(described, schema, body),
  ];
}

export const EVENTS = 'text/event-stream';

/** The events of an answer, until it ends. */
export function eventsOf(answer: Response): Promise<ReceivedEvent[]> {
  return Array.fromAsync(readEvents(answer.body!.pipeThrough(new TextDecoderStream())));
}

/** What is wrong with events by the description of their route; those of an answer say at the end what came of it. */
export function complaintsAboutEvents(
  described: Described,
  item: OperationItem,
  events: readonly ReceivedEvent[],
): readonly string[] {
  const schema = schemaOf(item, EVENTS);
  const ends = JSON.stringify(schema).includes('"answer"');
  const order = events.map(({ event }) => event === 'answer' || event === 'problem');
  return [
    ...(ends && order.indexOf(true) !== events.length - 1 ? ['the outcome is not the last event'] : []),
    ...events.flatMap((event) => complaintsBy(described, schema, event)),
  ];
}

function schemaOf({ responses }: OperationItem, type: string): Json | undefined {
  return responses['200']?.content?.[type]?.schema;
}

function complaintsBy(described: Described, schema: Json | undefined, value: unknown): readonly string[] {
  if (!schema) return ['it is not described'];
  const { error } = checkOf(described, schema).safeParse(value);
  return error ? [`${error.message} in ${JSON.stringify(value)}`] : [];
}
