/** Operation `config_init`: writes a docfuse.toml to start from. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';

export const configInit = defineOperation({
  name: 'config_init',
  summary: 'Write a commented docfuse.toml into a folder',
  description:
    'Every setting is in it with its meaning and default, commented out. A file that is there is left as it is.',
  input: () =>
    z.strictObject({
      folder: z.string().optional().describe('Folder to write to (default: the working directory).'),
    }),
  output: () => z.strictObject({ file: z.string() }),
  readOnly: false,
  cli: { command: ['config', 'init'], arguments: ['folder'], standalone: true },
  async run({ options }, { folder = '.' }) {
    const { writeConfig } = await import('../../engine/config/write-config.ts');
    return { file: writeConfig(folder, options.cwd ?? process.cwd()) };
  },
});
