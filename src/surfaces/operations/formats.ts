/** Operation `formats`: lists the formats of files that are read, and which packages are missing for them. */
import * as z from 'zod';
import { FORMATS } from '../../core/model/formats.ts';
import { isInstalled } from '../../engine/installed.ts';
import { defineOperation } from './operation.ts';
import { listOf } from './shapes.ts';

export const listFormats = defineOperation({
  name: 'formats',
  summary: 'List the kinds of files that are read, and the packages that some of them need',
  description:
    'Files other than text are converted to Markdown while they are indexed. ' +
    'Without its package, a file is left out, and `index` says so.',
  output: () => ({
    formats: listOf({
      name: z.string(),
      extensions: z.array(z.string()).describe('Endings of file names, without the dot.'),
      names: z.array(z.string()).describe('Whole names of files without an ending.'),
      packages: z.array(z.string()).describe('Optional npm packages that read the format.'),
      missing: z.array(z.string()).describe('Those packages that are not installed.'),
    }),
  }),
  readOnly: true,
  cli: { standalone: true },
  async run() {
    return {
      formats: FORMATS.map(({ name, extensions, names = [], packages }) => {
        const missing = packages.filter((each) => !isInstalled(each));
        return { name, extensions, names, packages, missing };
      }),
    };
  },
});
