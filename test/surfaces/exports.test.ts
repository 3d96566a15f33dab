/** Pins the names that programs may import; run `npx vitest -u` after a deliberate change and read the difference. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const ENTRIES = {
  docfuse: 'src/index.ts',
  'docfuse/core': 'src/core/index.ts',
  'docfuse/http': 'src/surfaces/http/index.ts',
  'docfuse/mcp': 'src/surfaces/mcp/index.ts',
};

test('exports', async () => {
  const lines = Object.entries(ENTRIES).flatMap(([entry, path]) => {
    const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const { module } = parseSync(file, readFileSync(file, 'utf8'));
    const names = module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName, isType }) => `${entry}  ${exportName.name}${isType ? '  (type)' : ''}`),
    );
    return names.sort();
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../pins/exports.txt');
});
