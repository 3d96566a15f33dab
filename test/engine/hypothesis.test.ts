import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Index, OpenOptions } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const NOTES = {
  'dough.md':
    '# Kitchen\n\nYeast turns sugar into gas, so the dough grows in a warm place before the oven.\n',
  'sea.md':
    '---\ntags: [water]\n---\n# Coast\n\nThe moon pulls on the oceans, and so tides rise and fall twice a day.\n',
  'office.md':
    '# Office\n\nThe printer on the second floor needs new toner; ask the help desk for a cartridge.\n',
};
/** Means what sea.md says and shares no word with it. */
const HYPOTHESIS = 'Lunar gravity causes water levels at shores to go up or down every twelve hours';

const folder = sharedFolder();
const options: OpenOptions = { roots: [join(folder, 'notes')], indexPath: join(folder, 'index') };
let index: Index;

beforeAll(async () => {
  mkdirSync(join(folder, 'notes'));
  for (const [name, text] of Object.entries(NOTES)) writeFileSync(join(folder, 'notes', name), text);
  index = await open(options);
  await index.sync();
});
afterAll(async () => {
  await index.close();
});

describe('a hypothesis', () => {
  test('finds the passage it paraphrases first, though they share no word', async () => {
    const answer = await index.searchWithHypothesis(HYPOTHESIS);
    const { hits, mode, weights, hypothesis } = answer;
    expect(hits[0]?.path).toBe('sea.md');
    // Nobody asked a question, and none was classified.
    expect(answer).not.toHaveProperty('query');
    expect(answer).not.toHaveProperty('queryType');
    expect({ mode, weights, hypothesis }).toEqual({
      mode: 'semantic',
      weights: { semantic: 1 },
      hypothesis: HYPOTHESIS,
    });
  });

  test('is embedded as a passage: the words of a passage are that passage, with cosine 1', async () => {
    const text =
      'Kitchen\n\n# Kitchen\n\nYeast turns sugar into gas, so the dough grows in a warm place before the oven.';
    const [hit] = (await index.searchWithHypothesis(text, { explain: true, minConfidence: 0 })).hits;
    expect(hit?.path).toBe('dough.md');
    const cosine = findPart(hit!.explanation!, 'cosine');
    expect(cosine).toBeGreaterThan(0.999);
    const asked = await index.search(text, { mode: 'semantic', explain: true, minConfidence: 0 });
    expect(findPart(asked.hits[0]!.explanation!, 'cosine')).toBeLessThan(0.98);
  });

  test('without words gets the notice of a query without words', async () => {
    const { hits, notice } = await index.searchWithHypothesis(' ');
    expect([hits, notice]).toEqual([[], 'The query holds no words to search for.']);
  });

  test('passes only the stages that judge candidates', async () => {
    const { timingsMs } = await index.searchWithHypothesis(HYPOTHESIS);
    const asked = await index.search('tides');
    const left = Object.keys(asked.timingsMs).filter((stage) => !(stage in timingsMs));
    expect(left).toEqual(expect.arrayContaining(['classify', 'recency']));
    expect(Object.keys(timingsMs)).toEqual(
      expect.arrayContaining(['retrieve', 'fuse', 'calibrate', 'threshold', 'rerank', 'top']),
    );
  });

  test('has the query mark words and narrow, but not rank', async () => {
    const all = { minConfidence: 0, topN: 10 };
    const plain = await index.searchWithHypothesis(HYPOTHESIS, all);
    const asked = await index.searchWithHypothesis(HYPOTHESIS, { ...all, query: 'toner tides' });
    expect(asked.hits.map(({ path, score }) => [path, score])).toEqual(
      plain.hits.map(({ path, score }) => [path, score]),
    );
    const { text, matches } = asked.hits[0]!.snippet;
    expect(matches.map(([start, end]) => text.slice(start, end))).toEqual(['tides']);
    const without = await index.searchWithHypothesis(HYPOTHESIS, { ...all, query: '-tides' });
    expect(without.hits.map(({ path }) => path)).not.toContain('sea.md');
    const tagged = await index.searchWithHypothesis(HYPOTHESIS, { ...all, filters: { tag: ['water'] } });
    expect(tagged.hits.map(({ path }) => path)).toEqual(['sea.md']);
  });

  test('that is empty finds nothing', async () => {
    expect((await index.searchWithHypothesis(' ', { minConfidence: 0 })).hits).toEqual([]);
  });

  test('is refused where the settings switch it off', async () => {
    await using off = await open({ ...options, settings: { search: { advanced: { hyde_enabled: false } } } });
    await expect(off.searchWithHypothesis(HYPOTHESIS)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('hyde_enabled'),
    });
  });
});

interface Part {
  readonly label: string;
  readonly value: number;
  readonly parts?: readonly Part[];
}

/** Value of the first part of this name, depth first. */
function findPart(part: Part, label: string): number | undefined {
  if (part.label === label) return part.value;
  for (const inner of part.parts ?? []) {
    const found = findPart(inner, label);
    if (found !== undefined) return found;
  }
  return undefined;
}
