/** Operation `pull_model`: fetches a model from the hub. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { modelShape } from './shapes.ts';
import { toWire } from './wire.ts';

export const pullModel = defineOperation({
  name: 'pull_model',
  summary: 'Fetch a model from the hub, or its newer version',
  description:
    'Goes on where an interrupted download stopped, and checks every byte. ' +
    'DOCFUSE_HUB names a mirror, HF_TOKEN unlocks private models, DOCFUSE_OFFLINE=1 forbids downloads.',
  input: () =>
    z.strictObject({
      name: z.string().min(1).describe('Name on the hub, such as cross-encoder/ms-marco-MiniLM-L-6-v2.'),
      file: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Path of the ONNX file to take, such as onnx/model_quantized.onnx (default: full precision).',
        ),
      offline: z.boolean().default(false).describe('Download nothing; fail if the model is not here.'),
    }),
  output: () =>
    z.strictObject({
      model: modelShape,
      changed: z.boolean().describe('Something was fetched.'),
    }),
  readOnly: false,
  cli: { command: ['models', 'pull'], arguments: ['name'], values: { file: 'path' }, standalone: true },
  async run(context, { name, ...options }, { signal, onProgress }) {
    const { openModels } = await import('../../engine/open-models.ts');
    const pulled = await openModels().pull(name, {
      ...options,
      now: context.now(),
      onBytes: (done, total) => onProgress?.({ phase: 'pull', done, total }),
      signal,
    });
    return toWire(pulled);
  },
});
