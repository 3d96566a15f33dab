/** Operations on the models of this machine: `list_models`, `pull_model`, `remove_model` and `locate_model`. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { flag, listOf } from './shapes.ts';
import { toWire } from './wire.ts';

const modelShape = z.strictObject({
  name: z.string().describe('Name on the hub: org/name.'),
  folder: z.string(),
  bytes: z.int(),
  pulled: z.string().describe('ISO 8601, UTC.'),
  hub: z.string().describe('Address of the hub or mirror it came from.'),
  files: listOf({
    path: z.string().describe('Path in the repository.'),
    target: z.string().describe('Path in the folder.'),
    size: z.int(),
    checksum: z.string().describe('`sha256:…` or `git:…`.'),
  }),
});

const nameOnHub = z.string().min(1);

export const listModels = defineOperation({
  name: 'list_models',
  summary: 'List the models that were pulled',
  description: 'The default embedding model comes with the package and is not listed.',
  output: () => ({
    folder: z.string().describe('Folder of pulled models.'),
    models: z.array(modelShape),
  }),
  readOnly: true,
  cli: { command: ['models', 'list'], standalone: true },
  async run() {
    const models = await openModels();
    return toWire({ folder: models.folder, models: await models.list() });
  },
});

export const pullModel = defineOperation({
  name: 'pull_model',
  summary: 'Fetch a model from the hub, or its newer version',
  description:
    'Continues an interrupted download, and checks every byte. ' +
    'DOCFUSE_HUB names a mirror, HF_TOKEN unlocks private models, DOCFUSE_OFFLINE=1 forbids downloads.',
  input: () => ({
    name: nameOnHub.describe('Name on the hub, such as cross-encoder/ms-marco-MiniLM-L-6-v2.'),
    file: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Path of the ONNX file to take, such as onnx/model_quantized.onnx (default: full precision).',
      ),
    offline: flag('Download nothing; fail if the model is not here.'),
  }),
  output: () => ({ model: modelShape, changed: z.boolean().describe('Whether files were downloaded.') }),
  readOnly: false,
  cli: { command: ['models', 'pull'], arguments: ['name'], values: { file: 'path' }, standalone: true },
  async run(context, { name, ...options }, { signal, onProgress }) {
    const pulled = await (await openModels()).pull(name, {
      ...options,
      now: context.now(),
      onBytes: (done, total) => onProgress?.({ phase: 'pull', done, total }),
      signal,
    });
    return toWire(pulled);
  },
});

export const removeModel = defineOperation({
  name: 'remove_model',
  summary: 'Delete a pulled model',
  input: () => ({ name: nameOnHub.describe('Name on the hub.') }),
  output: () => ({ model: modelShape }),
  readOnly: false,
  cli: { command: ['models', 'rm'], arguments: ['name'], standalone: true },
  run: async (_, { name }) => toWire({ model: await (await openModels()).remove(name) }),
});

export const locateModel = defineOperation({
  name: 'locate_model',
  summary: 'Print the folder of a pulled model, or of all pulled models',
  input: () => ({ name: nameOnHub.optional().describe('Name on the hub.') }),
  output: () => ({ folder: z.string() }),
  readOnly: true,
  cli: { command: ['models', 'path'], arguments: ['name'], standalone: true },
  async run(_, { name }) {
    const models = await openModels();
    return { folder: name === undefined ? models.folder : (await models.find(name)).folder };
  },
});

async function openModels() {
  const { openModels: open } = await import('../../engine/open-models.ts');
  return open();
}
