/** Operation `doctor`: checks whether everything that docfuse needs is present and works. */
import * as z from 'zod';
import type { Check } from '../../engine/api.ts';
import { defineOperation } from './operation.ts';
import { toDocfuseError } from './problem.ts';
import { listOf } from './shapes.ts';

export const doctor = defineOperation({
  name: 'doctor',
  summary: 'Check configuration, index, model and a query, and say how to fix each problem',
  output: () => ({
    healthy: z.boolean().describe('Whether no check failed; there may be warnings.'),
    checks: listOf({
      name: z.string(),
      state: z.enum(['ok', 'warning', 'failure']),
      detail: z.string(),
      remedy: z.string().optional(),
    }),
  }),
  readOnly: true,
  cli: { paths: true },
  // The command checks its own process. A running server would check the process of the server instead.
  http: { path: '/api/doctor', attach: false },
  async run(context, _, { signal }) {
    const checks: Check[] = [];
    try {
      const { loadConfig } = await import('../../engine/config/config.ts');
      const { files, leftOut } = loadConfig(context.options);
      const read = files.map(({ file }) => file).join(', ');
      const detail = read === '' ? 'No docfuse.toml: defaults are used.' : `${read} can be read.`;
      checks.push({ name: 'config', state: 'ok', detail });
      if (leftOut)
        checks.push({ name: 'trust', state: 'warning', detail: leftOut.message, remedy: leftOut.remedy });
      await using index = await context.open();
      checks.push(...(await index.check({ signal })));
    } catch (error) {
      signal?.throwIfAborted();
      const { message, remedy } = toDocfuseError(error);
      const name = checks.length === 0 ? 'config' : 'index';
      checks.push({ name, state: 'failure', detail: message, remedy });
    }
    return { healthy: checks.every(({ state }) => state !== 'failure'), checks };
  },
});
