/** Operation `remove_model`: deletes a pulled model. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { modelShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const removeModel = defineOperation({
  name: 'remove_model',
  summary: 'Delete a pulled model',
  input: () => z.strictObject({ name: z.string().min(1).describe('Name on the hub.') }),
  output: () => z.strictObject({ model: modelShape }),
  readOnly: false,
  cli: { command: ['models', 'rm'], arguments: ['name'], standalone: true },
  async run(_context, { name }) {
    const { openModels } = await import('../../engine/open-models.ts');
    return toWire({ model: await openModels().remove(name) });
  },
});
