/** What every Source does, wherever its documents come from. */
import { describe, expect, it } from 'vitest';
import type { SkippedFile, Source, SourceFile } from '../../src/core/ports.ts';
import { createPathScope } from '../../src/core/text/paths.ts';

/** @param make a source that holds exactly these documents, none of which needs a warning */
export function sourceContract(
  name: string,
  make: (documents: Readonly<Record<string, string>>) => Source,
  textOf: (content: string) => string = (content) => content,
): void {
  const DOCUMENTS = {
    'b.md': '# B\n\ntext',
    'a b/ä.md': 'text\r\nwith\rline ends\n',
    'a b.md': '漢字 👩‍👩‍👧',
    'B.md': '# other B',
    'z/z/z.md': '',
  };

  describe(`Source contract: ${name}`, () => {
    it('lists every document once, in the order of paths', async () => {
      const { files, skipped } = await listed(make(DOCUMENTS));
      expect(files.map((file) => file.path)).toEqual(Object.keys(DOCUMENTS).sort());
      expect(skipped).toEqual([]);
    });

    it('gives the size in bytes and a time in milliseconds', async () => {
      const { files } = await listed(make({ 'a.md': 'ä' }));
      expect(files[0]?.size).toBe(Buffer.byteLength(textOf('ä')));
      expect(Math.abs(Date.now() - files[0]!.modified)).toBeLessThan(60_000);
    });

    it('lists the same again', async () => {
      const source = make(DOCUMENTS);
      expect(await listed(source)).toEqual(await listed(source));
    });

    it('lists within a scope what it lists of it as a whole', async () => {
      const source = make(DOCUMENTS);
      const { files } = await listed(source);
      for (const paths of [[''], [], ['b.md'], ['a b'], ['z/z', 'B.md', 'gone.md'], ['a b/ä.md'], ['a']]) {
        const within = createPathScope(paths);
        const part: SourceFile[] = [];
        for await (const file of source.list(() => {}, undefined, { within })) part.push(file);
        expect(part).toEqual(files.filter(({ path }) => within.covers(path)));
      }
    });

    it('reads the text of every document as it is', async () => {
      const source = make(DOCUMENTS);
      for (const [path, content] of Object.entries(DOCUMENTS)) {
        expect(await source.read(path)).toMatchObject({ text: textOf(content), warnings: [] });
      }
    });

    it('gives equal texts equal hashes, and only those', async () => {
      const source = make({ 'a.md': 'same', 'b.md': 'same', 'c.md': 'Same' });
      const hashes = await Promise.all(
        ['a.md', 'b.md', 'c.md'].map(async (path) => (await source.read(path)) as { hash: string }),
      );
      const [a, b, c] = hashes.map(({ hash }) => hash);
      expect(a).toMatch(/^[0-9a-f]{64}$/);
      expect(b).toBe(a);
      expect(c).not.toBe(a);
    });

    it('says that an unknown document cannot be read, without failing', async () => {
      const source = make(DOCUMENTS);
      expect(await source.read('none.md')).toMatchObject({ path: 'none.md', reason: 'unreadable' });
    });

    it('stops when asked', async () => {
      const signal = AbortSignal.abort(new Error('Enough.'));
      await expect(listed(make(DOCUMENTS), signal)).rejects.toBe(signal.reason);
    });
  });
}

/** Everything a source lists and skips. */
export async function listed(
  source: Source,
  signal?: AbortSignal,
): Promise<{ readonly files: readonly SourceFile[]; readonly skipped: readonly SkippedFile[] }> {
  const skipped: SkippedFile[] = [];
  const files: SourceFile[] = [];
  for await (const file of source.list((left) => skipped.push(left), signal)) files.push(file);
  return { files, skipped };
}
