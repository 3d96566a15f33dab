/** The corpus source: the contract, ids, titles and bad lines. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCorpusSource } from '../../../src/adapters/source/corpus-source.ts';
import type { Source } from '../../../src/core/ports.ts';
import { listed, sourceContract } from '../../contracts/source-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

sourceContract('corpus', (documents) =>
  corpusOf(Object.entries(documents).map(([_id, text]) => ({ _id, title: '', text }))),
);

function corpusOf(entries: readonly unknown[]): Source {
  const content = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return createCorpusSource(join(temporaryFolder({ 'corpus.jsonl': content }), 'corpus.jsonl'));
}

async function textOf(source: Source, id: string): Promise<string> {
  const read = await source.read(id);
  return 'text' in read ? read.text : `skipped: ${read.reason}`;
}

describe('entries', () => {
  it('are named by their ids, whatever characters these hold', async () => {
    const ids = ['../up', '/abs', 'a#b/c:d', 'q?x', 'é 漢', '1'];
    const source = corpusOf(ids.map((_id) => ({ _id, text: `text of ${_id}` })));
    expect((await listed(source)).files.map((file) => file.path)).toEqual(ids.toSorted());
    for (const id of ids) expect(await textOf(source, id)).toBe(`text of ${id}`);
  });

  it('carry their title as front matter that YAML reads back', async () => {
    const titles = [
      'plain',
      'a: "b" # c',
      "it's",
      '- x',
      'back\\slash',
      '漢字\ttab\nline',
      '---',
      'null',
      '12',
    ];
    const source = corpusOf(titles.map((title, i) => ({ _id: `${i}`, title, text: 'body\n---\nmore' })));
    for (const [i, title] of titles.entries()) {
      const [, head, body] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(await textOf(source, `${i}`)) ?? [];
      expect(parse(head!)).toEqual({ title });
      expect(body).toBe('body\n---\nmore');
    }
  });

  it('keep a text that begins like front matter from being taken for it', async () => {
    const source = corpusOf([{ _id: 'a', text: '---\ntitle: no\n---\n' }]);
    expect(await textOf(source, 'a')).toBe('\n---\ntitle: no\n---\n');
  });

  it('may lack a title, and blank lines or carriage returns may lie between them', async () => {
    const file = join(
      temporaryFolder({
        'corpus.jsonl': '\uFEFF{"_id":"a","text":"x","title":null}\r\n\n{"_id":"b","text":"y"}',
      }),
      'corpus.jsonl',
    );
    const source = createCorpusSource(file);
    expect([await textOf(source, 'a'), await textOf(source, 'b')]).toEqual(['x', 'y']);
  });
});

describe('bad corpora', () => {
  it.each([
    ['not JSON', '{"_id": "a", "text"'],
    ['not an object', '["a"]'],
    ['no id', '{"text": "x"}'],
    ['an empty id', '{"_id": "", "text": "x"}'],
    ['an id that is a number', '{"_id": 7, "text": "x"}'],
    ['no text', '{"_id": "a"}'],
    ['an id that was there before', '{"_id": "first", "text": "x"}'],
  ])('name file and line: %s', async (_title, line) => {
    const file = join(
      temporaryFolder({ 'corpus.jsonl': `{"_id":"first","text":""}\n\n${line}\n` }),
      'corpus.jsonl',
    );
    await expect(listed(createCorpusSource(file))).rejects.toMatchObject({
      code: 'judgements',
      message: expect.stringContaining(`${file}:3 `),
    });
  });

  it('are missing, a folder or binary', async () => {
    const folder = temporaryFolder({ 'binary.jsonl': Uint8Array.of(1, 0, 2) });
    for (const file of [join(folder, 'none.jsonl'), folder, join(folder, 'binary.jsonl')]) {
      await expect(listed(createCorpusSource(file))).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
