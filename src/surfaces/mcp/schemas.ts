/** Makes short JSON Schemas for assistants: a model reads every character in each conversation. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/** Bounds of safe integers, which `z.int()` adds to every schema. */
const UNSAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Makes the schema of an input, without min lengths: `checkInput` refuses an empty text with an error message. */
export function briefInput(schema: z.ZodObject): JsonSchema {
  return briefSchema(schema, ['minLength']);
}

/** Makes the schema of an output, with only types and names: the answer itself shows the rest. */
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
      // Not needed: `checkInput` refuses unknown fields by name.
      if (['false', '{}'].includes(JSON.stringify(fields['additionalProperties'])))
        delete fields['additionalProperties'];
      delete fields['propertyNames'];
    },
  });
  return brief as unknown as JsonSchema;
}

/** A schema that clients see but that accepts every value: `checkInput` checks the input, with our own error messages. */
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
