/** Operation `locate_model`: the folder of a pulled model. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';

export const locateModel = defineOperation({
  name: 'locate_model',
  summary: 'Print the folder of a pulled model, or the one all are kept in',
  input: () => z.strictObject({ name: z.string().min(1).optional().describe('Name on the hub.') }),
  output: () => z.strictObject({ folder: z.string() }),
  readOnly: true,
  cli: { command: ['models', 'path'], arguments: ['name'], standalone: true },
  async run(_context, { name }) {
    const { openModels } = await import('../../engine/open-models.ts');
    const models = openModels();
    return { folder: name === undefined ? models.folder : (await models.find(name)).folder };
  },
});
