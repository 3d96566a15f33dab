import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkExplanation } from '../../support/check-explanation.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';
import { type MemoryFile, memoryIndex } from '../../support/memory-services.ts';

/** Nothing else may stand between passages and sections. */
const ALL = {
  topN: 100,
  parents: true,
  settings: { maxChunksPerDoc: 0, contentDedupEnabled: false, ngramDedupEnabled: false },
};

const filled = (about: string) => `A token is ${about}. ${'It is kept in a safe place. '.repeat(9)}`;
/** Two parents: the passages under the first heading, and the one under the second. */
const GUIDE = `# One\n\n## Rotation\n\n${filled('rotated')}\n\n## Vault\n\n${filled('locked away')}\n\n# Two\n\n${filled('small')}\n`;

describe('parents', () => {
  test('take the place of their passages: the lines of the best one are marked, the others are told', async () => {
    const index = memoryIndex([{ path: 'guide.md', text: GUIDE }]);
    const passages = await index.search('token locked away', { ...ALL, parents: false });
    expect(passages.hits.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [7, 9],
      expect.anything(),
      expect.anything(),
    ]);
    const rotation = passages.hits.find(({ startLine }) => startLine === 1);
    const { hits } = await index.search('token locked away', { ...ALL, explain: true });
    expect(hits.map(({ startLine, endLine, matchedLines }) => [startLine, endLine, matchedLines])).toEqual([
      [1, 9, [7, 9]],
      [11, 13, [11, 13]],
    ]);
    const [best, other] = hits;
    expect(best?.score).toBe(passages.hits[0]?.score);
    expect(best?.text).toBe(GUIDE.slice(0, GUIDE.indexOf('# Two')));
    const told = (hit: typeof best) =>
      hit?.explanation?.parts?.find(({ label }) => label === 'passages of the same section');
    expect(told(best)).toMatchObject({ value: 1, parts: [{ label: rotation?.chunkId }] });
    expect(told(other)).toBeUndefined();
  });

  test('are shown whole only where nothing in them is excluded', async () => {
    const { hits } = await memoryIndex([{ path: 'guide.md', text: GUIDE }]).search('token -vault', ALL);
    expect(hits.map(({ startLine, matchedLines }) => [startLine, matchedLines]).sort()).toEqual([
      [1, undefined],
      [11, [11, 13]],
    ]);
  });

  test('hold the lines and the text of their passages; each is shown once, in the place of its best one', async () => {
    const files = fc
      .array(markdownFile, { minLength: 1, maxLength: 4 })
      .map((texts) =>
        texts.map((text, number): MemoryFile => ({ path: `${number}.md`, text: `token ${text}` })),
      );
    let united = 0;
    await fc.assert(
      fc.asyncProperty(files, fc.constantFrom('token', 'a the', 'token -rust'), async (list, query) => {
        const index = memoryIndex(list);
        const { parts } = index;
        const plain = await index.search(query, { ...ALL, parents: false });
        const { hits, candidates, weights } = await index.search(query, { ...ALL, explain: true });
        const shown = candidates.map(
          ({ slot, parentId }) => `${parts.catalog.documentOf(slot)?.id} ${parentId ?? slot}`,
        );
        expect(new Set(shown).size).toBe(shown.length);
        // A subsequence of the passages: each parent where its best one stood.
        const order = plain.hits.map(({ chunkId }) => chunkId);
        const places = hits.map(({ chunkId }) => order.indexOf(chunkId));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places[0] ?? 0).toBe(0);
        for (const hit of hits) {
          const passage = plain.hits[order.indexOf(hit.chunkId)]!;
          expect(hit.score).toBe(passage.score);
          expect(hit.text).toContain(passage.text);
          const [from, to] = hit.matchedLines ?? [passage.startLine, passage.endLine];
          expect(hit.startLine).toBeLessThanOrEqual(from);
          expect(from).toBeLessThanOrEqual(to);
          expect(to).toBeLessThanOrEqual(hit.endLine);
          expect(checkExplanation(hit.explanation!, weights.fusion)).toEqual([]);
        }
        // Every passage found is shown, or told of by the parent that shows it.
        const told = hits.flatMap(
          ({ explanation }) =>
            explanation?.parts?.find(({ label }) => label === 'passages of the same section')?.parts ?? [],
        );
        united += told.length;
        expect([...hits.map(({ chunkId }) => chunkId), ...told.map(({ label }) => label)].sort()).toEqual(
          order.toSorted(),
        );
      }),
      { numRuns: 40 },
    );
    expect(united).toBeGreaterThan(10);
  });
});
