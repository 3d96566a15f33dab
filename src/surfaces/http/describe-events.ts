/** Server-sent events for the OpenAPI document: the name of each, and its data, which is one line of JSON. */
import * as z from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** Components that events refer to. */
export const EVENT_COMPONENTS: Readonly<Record<'progress' | 'changed', Json>> = {
  progress: component(
    z.strictObject({
      phase: z.enum(['read', 'embed']).describe('Files are read, or passages embedded.'),
      done: z.int().min(0).describe('Files or passages, those of earlier runs included.'),
      total: z.int().min(0),
      share: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('How much of the work of this run is done, where passages differ in length.'),
    }),
  ),
  changed: component(
    z.strictObject({
      documents: z.array(
        z.strictObject({
          document: z.string().describe('<collection>/<path>'),
          change: z.enum(['added', 'changed', 'removed']),
        }),
      ),
    }),
  ),
};

/**
 * The content of an answer of events.
 * @param events schema of the data of each, by its name
 */
export function eventStream(events: Readonly<Record<string, Json>>): Json {
  return {
    'text/event-stream': {
      schema: {
        description: 'Each event of the stream, with its data read as JSON.',
        oneOf: Object.entries(events).map(([event, data]) => ({
          type: 'object',
          properties: { event: { const: event }, data },
          required: ['event', 'data'],
          additionalProperties: false,
        })),
      },
    },
  };
}

function component(shape: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape) as Json;
  return schema;
}
