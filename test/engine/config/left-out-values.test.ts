/** What is printed of the values in a file that is not trusted. Of an address, only scheme and host. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const project = sharedFolder();

test.each([
  [
    '[[collections]]\npath = "https://evil.example/docs?token=SECRET"\n',
    'the path of a collection outside the file’s folder = "https://evil.example/…" (line 2)',
  ],
  [
    '[[collections]]\npath = "https://me:SE \\"CRET@evil.example"\n',
    'the path of a collection outside the file’s folder = "https://evil.example/…" (line 2)',
  ],
  [
    '[[collections]]\npath = "https://me:SECRET/@evil.example"\n',
    'the path of a collection outside the file’s folder = "https://…" (line 2)',
  ],
  [
    '[server]\nallowed_origins = ["https://evil.example", "app://obsidian.md/"]\n',
    'server.allowed_origins = ["https://evil.example","app://obsidian.md/…"] (line 2)',
  ],
  [
    '[embedding]\nprovider = "openai"\nbase_url = "https://evil.example/v1"\n',
    'embedding.provider = "openai" (line 2) and embedding.base_url = "https://evil.example/…" (line 3)',
  ],
  ['index_path = "a\\u202eb"\n', 'index_path = "a\\u202eb" (line 1)'],
  [`index_path = "${'x'.repeat(99)}"\n`, `index_path = "${'x'.repeat(58)}… (line 1)`],
])('the values of %j are said, cut and safe to print', (toml, what) => {
  writeFileSync(join(project, 'docfuse.toml'), toml);
  expect(loadConfig({ cwd: project }).leftOut?.message.split(' ignores ')[1]).toBe(`${what}.`);
});
