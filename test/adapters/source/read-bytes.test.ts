/** What is opened under a path that was looked up a moment before. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/adapters/source/read-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const textOf = async (real: string) => {
  const bytes = await readBytes(real, 'a.md', 99);
  return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : bytes;
};

describe.skipIf(process.platform === 'win32')('a path that was free of links when it was looked up', () => {
  it('is read, whatever its name', async () => {
    for (const name of ['a.md', 'Ä.md', 'A\u0308.md', 'a\nb.md', 'a (deleted)', ' (deleted)'])
      expect(await textOf(join(temporaryFolder({ [name]: 'inside' }), name))).toBe('inside');
  });

  it('is not followed where the file has become a link', async () => {
    const folder = temporaryFolder({ 'root/a.md': 'inside', 'secret.md': 'outside' });
    rmSync(join(folder, 'root/a.md'));
    symlinkSync('../secret.md', join(folder, 'root/a.md'));
    await expect(textOf(join(folder, 'root/a.md'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it.runIf(process.platform === 'linux')('is not followed where a folder has become a link', async () => {
    const folder = temporaryFolder({ 'root/sub/a.md': 'inside', 'outside/a.md': 'outside' });
    renameSync(join(folder, 'root/sub'), join(folder, 'aside'));
    symlinkSync('../outside', join(folder, 'root/sub'));
    await expect(textOf(join(folder, 'root/sub/a.md'))).rejects.toThrow('moved while it was opened');
  });
});
