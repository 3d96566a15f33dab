/** Operation `config_schema`: the JSON Schema of `docfuse.toml`. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';

export const configSchema = defineOperation({
  name: 'config_schema',
  summary: 'Print the JSON Schema of docfuse.toml',
  input: () =>
    z.strictObject({
      schema: z.boolean().default(false).describe('Print the JSON Schema of docfuse.toml instead.'),
    }),
  output: () => z.strictObject({ schema: z.record(z.string(), z.unknown()) }),
  readOnly: true,
  cli: { standalone: true, optionOf: { operation: 'config', field: 'schema' } },
  async run() {
    const { configJsonSchema } = await import('../../engine/config/config-schema.ts');
    return { schema: configJsonSchema() };
  },
});
