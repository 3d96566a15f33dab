/** Operation `list_models`: the models on this machine. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { modelShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const listModels = defineOperation({
  name: 'list_models',
  summary: 'List the models that were pulled',
  description: 'The default embedding model comes with the package and is not among them.',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      folder: z.string().describe('Where pulled models are kept.'),
      models: z.array(modelShape),
    }),
  readOnly: true,
  cli: { command: ['models', 'list'], standalone: true },
  async run() {
    const { openModels } = await import('../../engine/open-models.ts');
    const models = openModels();
    return toWire({ folder: models.folder, models: await models.list() });
  },
});
