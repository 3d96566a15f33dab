import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRun, writeRun } from '../../../src/engine/evaluate/trec-run.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const file = join(sharedFolder(), 'run.trec');

describe('writeRun', () => {
  it('writes query, document, rank, score and tag, and a line for a query that found nothing', async () => {
    const run = new Map([
      ['q1', [entry('guides/a b.md', 0.75), entry('c.md', 0.5)]],
      ['q2', []],
      ['q3', [entry('c.md', 1)]],
    ]);
    await writeRun(file, run, 'docfuse-hybrid');
    expect(await readFile(file, 'utf8')).toBe(
      'q1 Q0 guides/a b.md 1 0.750000 docfuse-hybrid\n' +
        'q1 Q0 c.md 2 0.500000 docfuse-hybrid\n' +
        'q2 Q0 (nothing) 1 0.000000 docfuse-hybrid\n' +
        'q3 Q0 c.md 1 1.000000 docfuse-hybrid\n',
    );
  });

  it('lowers equal scores by a millionth each, so that no scorer reorders them', async () => {
    await writeRun(
      file,
      new Map([['q', [entry('z', 1), entry('y', 1), entry('x', 0.9999995), entry('w', 0.5)]]]),
      't',
    );
    expect((await readRun(file)).get('q')).toEqual([
      entry('z', 1),
      entry('y', 0.999999),
      entry('x', 0.999998),
      entry('w', 0.5),
    ]);
  });

  it('refuses a query id with a space', async () => {
    await expect(writeRun(file, new Map([['q 1', [entry('a', 1)]]]), 't')).rejects.toMatchObject({
      code: 'judgements',
      message: 'The query id "q 1" contains a space, which a TREC run cannot store.',
    });
  });

  it('says when the file cannot be written', async () => {
    await expect(writeRun(join(file, 'below', 'run'), new Map(), 't')).rejects.toMatchObject({
      code: 'storage',
    });
  });
});

describe('readRun', () => {
  it('gives back the order that was written, whatever the scores and ids', async () => {
    const id = fc.stringMatching(/^[!-~é日]([ -~é日]{0,12}[!-~é日])?$/);
    const entries = fc
      .uniqueArray(id, { maxLength: 20 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((document) =>
            fc.double({ min: 0, max: 1, noNaN: true }).map((score) => entry(document, score)),
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(entries, async (ranked) => {
        const falling = [...ranked].sort((a, b) => b.score - a.score);
        await writeRun(file, new Map([['q', falling]]), 'tag');
        const read = (await readRun(file)).get('q');
        expect(read?.map(({ document }) => document)).toEqual(falling.map(({ document }) => document));
      }),
      { numRuns: 50 },
    );
  });

  it('orders by score, not by line, and equal scores by id from the last to the first', async () => {
    await writeFile(file, 'q Q0 low 1 0.1 t\r\nq\tQ0\thigh\t2\t9e-1\tt\n\nq Q0 low2 3 0.1 t\n');
    expect((await readRun(file)).get('q')?.map(({ document }) => document)).toEqual(['high', 'low2', 'low']);
  });

  it.each(['q Q0 doc 1 0.5', 'q Q0 doc 1 high t', 'nonsense'])(
    'names the line "%s" that is none',
    async (line) => {
      await writeFile(file, `q Q0 a 1 0.5 t\n${line}\n`);
      await expect(readRun(file)).rejects.toMatchObject({
        code: 'judgements',
        message: `${file}:2 is not a line of a TREC run.`,
      });
    },
  );

  it('says when there is no file', async () => {
    await expect(readRun(`${file}.gone`)).rejects.toMatchObject({ code: 'not_found' });
  });
});

function entry(document: string, score: number): { readonly document: string; readonly score: number } {
  return { document, score };
}
