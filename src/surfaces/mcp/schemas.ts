/** JSON Schemas as assistants are told them: short, because every character is read with each conversation. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/** Bounds of a safe integer, which `z.int()` brings along. */
const UNSAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Leaves out lower bounds of length: an empty text is refused with a message. */
export function briefInput(schema: z.ZodObject): JsonSchema {
  return briefSchema(schema, ['minLength']);
}

/** Keeps types and names only: the answer itself shows the rest. */
export function briefOutput(schema: z.ZodObject): JsonSchema {
  return briefSchema(schema, [
    'description',
    'enum',
    'required',
    'minimum',
    'maximum',
    'minLength',
    'minItems',
    'maxItems',
  ]);
}

function briefSchema(schema: z.ZodObject, leftOut: readonly string[]): JsonSchema {
  const { $schema, ...brief } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      const fields = jsonSchema as Record<string, unknown>;
      for (const name of leftOut) delete fields[name];
      for (const name of ['minimum', 'maximum'])
        if (UNSAFE.includes(fields[name] as number)) delete fields[name];
      // Unknown fields are refused by name without this.
      if (['false', '{}'].includes(JSON.stringify(fields['additionalProperties'])))
        delete fields['additionalProperties'];
      delete fields['propertyNames'];
    },
  });
  return brief as unknown as JsonSchema;
}

/** Shows its JSON Schema and lets everything pass: the input is checked in our own words. */
export function passingSchema<T>(schema: Readonly<Record<string, unknown>>): StandardSchemaWithJSON<T> {
  const json = () => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'docfuse',
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: json, output: json },
    },
  };
}
