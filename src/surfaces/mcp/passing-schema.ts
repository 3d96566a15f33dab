/** A schema that a client sees and the SDK does not check by. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

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
