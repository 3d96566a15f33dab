/** What every Source does, wherever its documents come from. */
import { describe, expect, it } from 'vitest';
import type { SkippedFile, Source, SourceFile } from '../../src/core/ports.ts';
import { createPathScope } from '../../src/core/text/paths.ts';

export interface Held {
  readonly source: Source;
  /** The text of every document by its path, as the source must give it. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * @param make a source of these documents, none of which needs a warning. A source that cannot hold such documents makes one
 *   document of each, and says which
 * @param sizes whether the source knows the size of a document before it reads it
 */
export function sourceContract(
  name: string,
  make: (documents: Readonly<Record<string, string>>) => Source | Held,
  { sizes = true }: { readonly sizes?: boolean } = {},
): void {
  const DOCUMENTS = {
    'b.md': '# B\n\ntext',
    'a b/ä.md': 'text\r\nwith\rline ends\n',
    'a b.md': '漢字 👩‍👩‍👧',
    'B.md': '# other B',
    'z/z/z.md': '',
  };

  function hold(documents: Readonly<Record<string, string>> = DOCUMENTS): Held {
    const made = make(documents);
    return 'texts' in made ? made : { source: made, texts: documents };
  }

  describe(`Source contract: ${name}`, () => {
    it('lists every document once, in the order of paths', async () => {
      const { source, texts } = hold();
      const { files, skipped } = await listed(source);
      expect(files.map((file) => file.path)).toEqual(Object.keys(texts).sort());
      expect(files).toHaveLength(Object.keys(DOCUMENTS).length);
      expect(skipped).toEqual([]);
    });

    it('gives the size in bytes if it knows it, and a time in milliseconds', async () => {
      const { source, texts } = hold({ 'a.md': 'ä' });
      const { files } = await listed(source);
      expect(files[0]?.size).toBe(sizes ? Buffer.byteLength(Object.values(texts)[0]!) : 0);
      expect(Math.abs(Date.now() - files[0]!.modified)).toBeLessThan(60_000);
    });

    it('lists the same again', async () => {
      const { source } = hold();
      expect(await listed(source)).toEqual(await listed(source));
    });

    it('lists within a scope what it lists of it as a whole', async () => {
      const { source, texts } = hold();
      const { files } = await listed(source);
      const known = [[Object.keys(texts)[0]!], Object.keys(texts).slice(2)];
      for (const paths of [[''], [], ['b.md'], ['a b'], ['z/z', 'B.md', 'gone.md'], ['a'], ...known]) {
        const within = createPathScope(paths);
        const part: SourceFile[] = [];
        for await (const file of source.list(() => {}, undefined, { within })) part.push(file);
        expect(part).toEqual(files.filter(({ path }) => within.covers(path)));
      }
    });

    it('reads the text of every document as it is', async () => {
      const { source, texts } = hold();
      for (const [path, text] of Object.entries(texts)) {
        expect(await source.read(path)).toMatchObject({ text, warnings: [] });
      }
    });

    it('gives equal texts equal hashes, and only those', async () => {
      const { source, texts } = hold({ 'a.md': 'same', 'b.md': 'same', 'c.md': 'Same' });
      const read = await Promise.all(
        Object.keys(texts).map(async (path) => (await source.read(path)) as { text: string; hash: string }),
      );
      for (const one of read) {
        expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
        for (const other of read) expect(one.hash === other.hash).toBe(one.text === other.text);
      }
    });

    it('says that an unknown document cannot be read, without failing', async () => {
      expect(await hold().source.read('none.md')).toMatchObject({ path: 'none.md', reason: 'unreadable' });
    });

    it('stops when asked', async () => {
      const signal = AbortSignal.abort(new Error('Enough.'));
      await expect(listed(hold().source, signal)).rejects.toBe(signal.reason);
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
